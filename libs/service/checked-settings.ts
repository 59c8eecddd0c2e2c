import { parseSettings } from '@app/config/env';
import { OperatorError, SettingError } from '@app/config/operator-errors';
import type { Settings } from '@app/config/settings';
import { AddressCountries } from '@app/sign-in/auth/address-countries';

/** Checks of domains that need no database. */
const CHECKS: readonly ((settings: Settings) => unknown)[] = [
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
