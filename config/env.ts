import { resolve } from 'node:path';
import { SettingError, type Settings } from '@app/platform/process/settings';
import {
  addressList,
  anyText,
  baseUrl,
  databaseUrl,
  delay,
  duration,
  emailAddress,
  hourlyLimit,
  listOf,
  oneOf,
  onOff,
  originList,
  publicUrl,
  retention,
  secretsKeys,
  urlTemplate,
  urlWith,
  wholeNumber,
  type Parse,
} from './setting-parsers';
import { faultOfPasskeys, pageOrigins, relyingPartyId } from './passkeys.env';
import { brownoutList, calendarDate, faultOfEnd } from './variant-b.env';

/** Every setting of the service. OpenTelemetry reads its own others. */
export const SETTING_NAMES = [
  'API_VARIANT',
  'PORT',
  'HOST',
  'PROCESSES',
  'WORKER',
  'DATA_DIR',
  'LOG_LEVEL',
  'DRAIN_DELAY',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_POOLER',
  'DATABASE_POOL',
  'SECRETS_KEY',
  'SECRETS_KEY_MISMATCH',
  'ADMIN_USERNAME',
  'ADMIN_PASSWORD',
  'SMTP_URL',
  'MAIL_FROM',
  'MAIL_HOURLY_LIMIT',
  'RESET_URL_TEMPLATE',
  'INVITATION_URL_TEMPLATE',
  'PUBLIC_URL',
  'PAGES',
  'TRUSTED_PROXIES',
  'WEBHOOK_NETWORKS',
  'CORS_ORIGINS',
  'PASSKEY_RP_ID',
  'PASSKEY_ORIGINS',
  'RATE_LIMIT',
  'GEOIP_DB',
  'LOGIN_IDLE_TTL',
  'LOGIN_MAX_TTL',
  'RESET_TTL',
  'INVITATION_TTL',
  'API_KEY_TTL',
  'RETENTION_AUDIT',
  'RETENTION_NOTIFICATIONS',
  'RETENTION_INVITATIONS',
  'RETENTION_USAGE',
  'BCRYPT_COST',
  'STRICT_BODY',
  'ADMIN_ONLY_FIELDS',
  'STEP_UP',
  'HIDE_UNKNOWN_USERNAMES',
  'ALLOW_TOKENLESS_REGISTRATION',
  'TEST_CLOCK',
  'LIST_LIMIT_MAX',
  'VARIANT_B_DEPRECATED',
  'VARIANT_B_SUNSET',
  'VARIANT_B_BROWNOUTS',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
] as const;

export type SettingName = (typeof SETTING_NAMES)[number];

/** The variables of this process. Nothing else reads them. */
export const environment: NodeJS.ProcessEnv = process.env;

/** How an operator calls the command line here: an image has no npm. */
export const COMMAND_LINE =
  environment['npm_lifecycle_event'] === undefined ? 'node dist/apps/cli/main.js' : 'npm run cli --';

/** Links that work only on the machine of the service. */
export const localUrl = (port: number): string => `http://localhost:${port}`;
export const localResetUrl = (port: number): string => `http://localhost:${port}/reset/{token}`;
export const localInvitationUrl = (port: number): string =>
  `http://localhost:${port}/register/{organisationId}/{invitationId}/{token}`;

/** Links to the pages of this service. */
const resetPageUrl = (publicUrl: string): string => `${publicUrl}/account/password/{token}`;
const invitationPageUrl = (publicUrl: string): string => `${publicUrl}/account/invitation/{token}`;

/** Names of release 1.0.0: they still work, and the start warns about them. */
export const FORMER_NAMES: Readonly<Record<string, string>> = {
  AUDIT_RETENTION: 'RETENTION_AUDIT',
  NOTIFICATION_RETENTION: 'RETENTION_NOTIFICATIONS',
  INVITATION_RETENTION: 'RETENTION_INVITATIONS',
  USAGE_RETENTION: 'RETENTION_USAGE',
};

/**
 * Reads and checks every setting. Throws one {@link SettingError} with a line for each wrong or missing setting.
 * A process that serves reads with `readCheckedSettings`, which also knows the checks of domains.
 */
export function readSettings(env = environment): Settings {
  const { settings, faults } = parseSettings(env);
  if (faults.length > 0) throw new SettingError(...faults);
  return settings;
}

/** The settings and all their faults, a line each. A wrong setting has its default. */
export function parseSettings(env = environment): { settings: Settings; faults: string[] } {
  const faults: string[] = [];
  const withDefault = <T>(setting: SettingName, parse: Parse<T>, fallback: T): T => {
    const former = Object.keys(FORMER_NAMES).find((name) => FORMER_NAMES[name] === setting) ?? setting;
    const name = textOf(env, setting) === '' ? former : setting;
    const text = textOf(env, name);
    if (text === '') return fallback;
    try {
      return parse(text);
    } catch (problem) {
      faults.push(`${name} ${(problem as Error).message}${quoted(setting, text)}`);
      return fallback;
    }
  };
  const optional = <T>(setting: SettingName, parse: Parse<T>): T | undefined =>
    withDefault<T | undefined>(setting, parse, undefined);

  const port = withDefault('PORT', wholeNumber(0, 65_535), 3000);
  const processes = withDefault('PROCESSES', wholeNumber(1, 64), 1);
  const trustedProxies = withDefault('TRUSTED_PROXIES', addressList, []);
  const ownUrl = withDefault('PUBLIC_URL', publicUrl, localUrl(port));
  const pages = withDefault('PAGES', onOff, true);
  const resetUrlTemplate = withDefault(
    'RESET_URL_TEMPLATE',
    urlTemplate,
    pages ? resetPageUrl(ownUrl) : localResetUrl(port),
  );
  const invitationUrlTemplate = withDefault(
    'INVITATION_URL_TEMPLATE',
    urlTemplate,
    pages ? invitationPageUrl(ownUrl) : localInvitationUrl(port),
  );
  const rpId = optional('PASSKEY_RP_ID', relyingPartyId);
  const passkeyOrigins = optional('PASSKEY_ORIGINS', pageOrigins);
  const settings: Settings = {
    variant: withDefault('API_VARIANT', oneOf('A', 'B'), 'A'),
    port,
    host: withDefault('HOST', anyText, '0.0.0.0'),
    databaseUrl: optional('DATABASE_URL', databaseUrl),
    databaseDirectUrl: optional('DATABASE_DIRECT_URL', databaseUrl),
    databasePooler: optional('DATABASE_POOLER', oneOf('session', 'transaction')),
    databasePool: withDefault('DATABASE_POOL', wholeNumber(1, 500), defaultPool(processes)),
    processes,
    dataDir: resolve(withDefault('DATA_DIR', anyText, '.data')),
    adminUsername: optional('ADMIN_USERNAME', emailAddress),
    adminPassword: optional('ADMIN_PASSWORD', anyText),
    smtpUrl: optional('SMTP_URL', urlWith('smtp', 'smtps')),
    mailFrom: withDefault('MAIL_FROM', emailAddress, 'no-reply@localhost.localdomain'),
    mailHourlyLimit: withDefault<number | 'off'>('MAIL_HOURLY_LIMIT', hourlyLimit, 300),
    resetUrlTemplate,
    invitationUrlTemplate,
    publicUrl: ownUrl,
    pages,
    linksToDocumentPages:
      pages &&
      resetUrlTemplate === resetPageUrl(ownUrl) &&
      invitationUrlTemplate === invitationPageUrl(ownUrl),
    secretsKey: optional('SECRETS_KEY', secretsKeys),
    allowsKeyMismatch: optional('SECRETS_KEY_MISMATCH', oneOf('allow')) !== undefined,
    trustedProxies,
    webhookNetworks: withDefault('WEBHOOK_NETWORKS', addressList, []),
    corsOrigins: withDefault('CORS_ORIGINS', originList, []),
    passkeys:
      rpId === undefined || passkeyOrigins === undefined ? undefined : { rpId, origins: passkeyOrigins },
    logLevel: withDefault(
      'LOG_LEVEL',
      oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
      'info',
    ),
    rateLimit: withDefault('RATE_LIMIT', onOff, true),
    geoipDb: optional('GEOIP_DB', anyText),
    loginIdleTtl: withDefault('LOGIN_IDLE_TTL', duration, 7 * 86_400),
    loginMaxTtl: withDefault('LOGIN_MAX_TTL', duration, 30 * 86_400),
    resetTtl: withDefault('RESET_TTL', duration, 3600),
    invitationTtl: withDefault('INVITATION_TTL', duration, 30 * 86_400),
    apiKeyTtl: withDefault('API_KEY_TTL', duration, 365 * 86_400),
    retention: {
      audit: optional('RETENTION_AUDIT', retention),
      notifications: optional('RETENTION_NOTIFICATIONS', retention),
      invitations: optional('RETENTION_INVITATIONS', retention),
      usage: withDefault<number | undefined>('RETENTION_USAGE', retention, 400 * 86_400),
    },
    bcryptCost: withDefault('BCRYPT_COST', wholeNumber(4, 15), 12),
    strictBody: withDefault('STRICT_BODY', onOff, false),
    adminOnlyFields: withDefault('ADMIN_ONLY_FIELDS', listOf, []),
    stepUp: withDefault('STEP_UP', onOff, false),
    hideUnknownUsernames: withDefault('HIDE_UNKNOWN_USERNAMES', onOff, false),
    allowTokenlessRegistration: withDefault('ALLOW_TOKENLESS_REGISTRATION', onOff, false),
    worker: withDefault('WORKER', onOff, true),
    // A proxy in front takes some seconds to notice that this process is stopping.
    drainDelay: withDefault('DRAIN_DELAY', delay, trustedProxies.length > 0 ? 5 : 0),
    testClock: withDefault('TEST_CLOCK', onOff, false),
    listLimitMax: withDefault('LIST_LIMIT_MAX', wholeNumber(1, 1_000_000), 1000),
    variantBEnd: {
      deprecated: optional('VARIANT_B_DEPRECATED', calendarDate),
      sunset: optional('VARIANT_B_SUNSET', calendarDate),
      brownouts: withDefault('VARIANT_B_BROWNOUTS', brownoutList(duration), []),
    },
    tracing: optional('OTEL_EXPORTER_OTLP_ENDPOINT', baseUrl) !== undefined,
  };
  if (textOf(env, 'DATABASE_URL') !== '' && textOf(env, 'SECRETS_KEY') === '') {
    faults.push(
      'SECRETS_KEY is required with DATABASE_URL: 32 random bytes in base64, for example from `openssl rand -base64 32`',
    );
  }
  if (settings.databasePooler === 'transaction' && textOf(env, 'DATABASE_DIRECT_URL') === '') {
    faults.push(
      'DATABASE_DIRECT_URL is required with DATABASE_POOLER=transaction: migrations and jobs need PostgreSQL itself, past the pooler',
    );
  }
  const faultOfVariantB = faultOfEnd(settings.variantBEnd);
  if (faultOfVariantB !== undefined) faults.push(faultOfVariantB);
  const passkeyFault = faultOfPasskeys(
    { rpId: textOf(env, 'PASSKEY_RP_ID'), origins: textOf(env, 'PASSKEY_ORIGINS') },
    settings.passkeys,
  );
  if (passkeyFault !== undefined) faults.push(passkeyFault);
  return { settings, faults };
}

export const textOf = (env: NodeJS.ProcessEnv, name: string): string => env[name]?.trim() ?? '';

/** Connections of one process: all processes together stay below PostgreSQL's default of 100. */
function defaultPool(processes: number): number {
  return Math.max(3, Math.min(20, Math.floor(60 / processes)));
}

const SECRET = /^(ADMIN_PASSWORD|SECRETS_KEY|SMTP_URL|DATABASE(_DIRECT)?_URL)$/;

/** A wrong secret is not repeated: start-up errors end up in logs. */
const quoted = (setting: string, text: string): string =>
  SECRET.test(setting) ? '' : `, but is ${JSON.stringify(text)}`;
