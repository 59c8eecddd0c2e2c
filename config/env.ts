import { faultOfPanel, invitationPageUrl, resetPageUrl } from './mail.settings';
import { SettingError } from './operator-errors';
import { addition, readRows, type Setting, type SettingsBefore } from './setting';
import { baseUrl } from './setting-parsers';
import { SETTINGS, type SettingValues } from './setting-table';
import type { Settings } from './settings';
import { faultOfEnd } from './variant-b.env';

/** The variables of this process. Nothing else reads them. */
export const environment: NodeJS.ProcessEnv = process.env;

/** The command by which an operator calls the command line: an image has no npm. */
export const COMMAND_LINE =
  environment['npm_lifecycle_event'] === undefined ? 'node dist/apps/cli/main.js' : 'npm run cli --';

/** A setting of OpenTelemetry's SDK, which would use its own default in place of a wrong value. */
const RECEIVER_OF_TRACES = addition('OTEL_EXPORTER_OTLP_ENDPOINT', baseUrl, '', 'receiver of traces');

/**
 * Reads and checks every setting. Throws one {@link SettingError} with a line for each wrong or missing
 * setting. Server processes use `readCheckedSettings`, which also runs the checks of domains.
 */
export function readSettings(env = environment): Settings {
  const { settings, faults } = parseSettings(env);
  if (faults.length > 0) throw new SettingError(...faults);
  return settings;
}

/** The settings and all their errors, one line each. A wrong setting gets its default. */
export function parseSettings(env = environment): { settings: Settings; faults: string[] } {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  const valueOf = ({ name, parse, fallback, absent, notes }: Setting<unknown>): unknown => {
    const text = textOf(env, name);
    try {
      if (text !== '') return parse(text);
    } catch (problem) {
      // Does not repeat a wrong secret, because start-up errors end up in logs.
      const quoted = notes.secret ? '' : `, but is ${JSON.stringify(text)}`;
      faults.push(`${name} ${(problem as Error).message}${quoted}`);
    }
    if (fallback === undefined) return absent;
    return parse(typeof fallback === 'string' ? fallback : fallback(values as unknown as SettingsBefore));
  };
  const reading = {
    valueOf,
    given: (name: string) => textOf(env, name),
    refuse: (fault: string) => void faults.push(fault),
  };
  for (const rows of Object.values(SETTINGS)) readRows(rows, reading, values);
  // The loop has read a value for every row of the table.
  const read = values as unknown as SettingValues;
  const settings: Settings = {
    ...read,
    mailFrom: read.sender.mailFrom,
    mailFromName: read.sender.name ?? read.companyName,
    companyName: read.companyName ?? read.sender.name,
    linksToDocumentPages:
      read.pages &&
      read.resetUrlTemplate === resetPageUrl(read.publicUrl) &&
      read.invitationUrlTemplate === invitationPageUrl(read.publicUrl),
    tracing: valueOf(RECEIVER_OF_TRACES) !== '',
  };
  if (textOf(env, 'DATABASE_URL') !== '' && textOf(env, 'SECRETS_KEY') === '') {
    faults.push(
      'SECRETS_KEY is required with DATABASE_URL: 32 random bytes in base64, for example from `openssl rand -base64 32`',
    );
  }
  if (textOf(env, 'DATABASE_URL') === '' && settings.databaseDirectUrl !== undefined)
    faults.push('DATABASE_URL is required with DATABASE_DIRECT_URL, which leads past its pooler');
  const panelFault = faultOfPanel(settings);
  if (panelFault !== undefined) faults.push(panelFault);
  const faultOfVariantB = faultOfEnd(settings.variantBEnd);
  if (faultOfVariantB !== undefined) faults.push(faultOfVariantB);
  return { settings, faults };
}

export const textOf = (env: NodeJS.ProcessEnv, name: string): string => env[name]?.trim() ?? '';
