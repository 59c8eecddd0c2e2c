import { createRequire } from 'node:module';
import { parseSettings } from '@app/config/env';
import { OperatorError, SettingError, type Settings } from '@app/config/settings';
import type * as FieldRights from '@app/people/organisations/organisation-field-rights';
import { AddressCountries } from '@app/sign-in/auth/address-countries';

/** Loaded on use, because it needs the shapes of organisations and `doctor` should start fast. */
const fieldRights = () =>
  createRequire(__filename)('../people/organisations/organisation-field-rights') as typeof FieldRights;

/** Checks of domains that need no database. */
const CHECKS: readonly ((settings: Settings) => unknown)[] = [
  (settings) => settings.adminOnlyFields.length > 0 && new (fieldRights().AdminOnlyFields)(settings),
  ({ geoipDb }) => AddressCountries.open(geoipDb),
];

/**
 * The settings of a process that serves or runs jobs. Throws one error with all faults,
 * before anything is created.
 */
export async function readCheckedSettings(env?: NodeJS.ProcessEnv): Promise<Settings> {
  const { settings, faults } = parseSettings(env);
  for (const check of CHECKS) {
    try {
      await check(settings);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      faults.push(error.message);
    }
  }
  if (faults.length > 0) throw new SettingError(...faults);
  return settings;
}
