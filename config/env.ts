import { resolve } from 'node:path';
import { urlsOfHosts } from '@app/platform/database/database-hosts';
import { AddressList } from '@app/platform/http/ip-address';
import { SettingError, type Settings } from '@app/platform/process/settings';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { brownoutList, calendarDate, faultOfEnd } from './variant-b.env';

/** Every setting of the service. OpenTelemetry reads its own others. */
const SETTING_NAMES = [
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
  'TRUSTED_PROXIES',
  'CORS_ORIGINS',
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

type SettingName = (typeof SETTING_NAMES)[number];

type Parse<T> = (text: string) => T;

const fail = (problem: string): never => {
  throw new Error(problem);
};

const wholeNumber =
  (min: number, max: number): Parse<number> =>
  (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : fail(`must be a whole number from ${min} to ${max}`);
  };

const hourlyLimit: Parse<number | 'off'> = (text) =>
  text.toLowerCase() === 'off' ? 'off' : wholeNumber(1, 1_000_000)(text);

const oneOf =
  <T extends string>(...allowed: T[]): Parse<T> =>
  (text) =>
    allowed.find((value) => value === text) ?? fail(`must be one of ${allowed.join(', ')}`);

const SWITCH_WORDS = new Map([
  ['true', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['off', false],
  ['0', false],
]);

const onOff: Parse<boolean> = (text) =>
  SWITCH_WORDS.get(text.toLowerCase()) ?? fail('must be on, off, true or false');

/** A {@link duration}, or `0s` for none. */
const delay: Parse<number> = (text) => (text === '0' || text === '0s' ? 0 : duration(text));

const SECONDS_PER_UNIT: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };
/** The longest duration that a setting takes, in seconds: ten years. */
const MAX_DURATION = 3650 * 86_400;

/** The shortest retention, in seconds: the database keeps audit rows that long whatever the setting says. */
const LEAST_RETENTION = 30 * 86_400;

/** `90s`, `15m`, `24h`, `30d` to seconds. */
const duration: Parse<number> = (text) => {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (SECONDS_PER_UNIT[unit ?? ''] ?? Number.NaN);
  return seconds >= 1 && seconds <= MAX_DURATION
    ? seconds
    : fail('must be a duration such as 90s, 15m, 24h or 30d');
};

/** Seconds from 30 days to ten years; undefined keeps for ever. */
const retention: Parse<number | undefined> = (text) => {
  if (text.toLowerCase() === 'off') return undefined;
  const seconds = duration(text);
  return seconds >= LEAST_RETENTION ? seconds : fail('must be off or a duration of 30d or more');
};

const listOf: Parse<readonly string[]> = (text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const addressList: Parse<readonly string[]> = (text) => {
  const entries = listOf(text);
  try {
    AddressList.of(entries);
  } catch (error) {
    return fail(`must list addresses and CIDR ranges (${(error as Error).message})`);
  }
  return entries;
};

const urlWith =
  (...protocols: string[]): Parse<string> =>
  (text) => {
    const protocol = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : undefined;
    return protocol !== undefined && protocols.includes(protocol)
      ? text
      : fail(`must be a URL starting with ${protocols.map((name) => `${name}://`).join(' or ')}`);
  };

/** One server, or several with one primary. */
const databaseUrl: Parse<string> = (text) => {
  urlsOfHosts(text);
  return text;
};

const urlTemplate: Parse<string> = (text) =>
  text.includes('{token}') && URL.canParse(text.replaceAll(/[{}]/g, ''))
    ? text
    : fail('must be an absolute URL that contains {token}');

/** A URL without a slash at the end. */
const baseUrl: Parse<string> = (text) => {
  const url = urlWith('http', 'https')(text);
  return new URL(url).search === '' && new URL(url).hash === ''
    ? url.replace(/\/+$/, '')
    : fail('must be a URL without ? and #');
};

/** The part of the service's URL before `/v1`. */
const publicUrl: Parse<string> = (text) => {
  const url = baseUrl(text);
  return url.endsWith('/v1') ? fail('must not end in /v1, which links add') : url;
};

/** Origins as browsers send them: another form would never match. Apps in a web view have schemes of their own. */
const originList: Parse<readonly string[]> = (text) => {
  const origins = listOf(text);
  return origins.every(isOrigin)
    ? origins
    : fail(
        'must list origins as browsers send them, such as https://panel.example.com: scheme and host in lower case, no path',
      );
};

const isOrigin = (text: string): boolean =>
  /^https?:/i.test(text)
    ? URL.canParse(text) && new URL(text).origin === text && !text.includes('*')
    : /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(:\d+)?$/.test(text);

const emailAddress: Parse<string> = (text) =>
  /^[^\s@<>"]+@[^\s@<>"]+$/.test(text) ? text : fail('must be an e-mail address');

const anyText: Parse<string> = (text) => text;

const secretsKeys: Parse<string> = (text) => {
  try {
    SecretsKeyring.parse(text);
  } catch (error) {
    return fail(`can not be used: ${(error as Error).message}`);
  }
  return text;
};

/** Links that work only on the machine of the service. */
const localUrl = (port: number): string => `http://localhost:${port}`;
const localResetUrl = (port: number): string => `http://localhost:${port}/reset/{token}`;
const localInvitationUrl = (port: number): string =>
  `http://localhost:${port}/register/{organisationId}/{invitationId}/{token}`;

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
export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  const { settings, faults } = parseSettings(env);
  if (faults.length > 0) throw new SettingError(...faults);
  return settings;
}

/** The settings and all their faults, a line each. A wrong setting has its default. */
export function parseSettings(env: NodeJS.ProcessEnv): { settings: Settings; faults: string[] } {
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
    resetUrlTemplate: withDefault('RESET_URL_TEMPLATE', urlTemplate, localResetUrl(port)),
    invitationUrlTemplate: withDefault('INVITATION_URL_TEMPLATE', urlTemplate, localInvitationUrl(port)),
    publicUrl: withDefault('PUBLIC_URL', publicUrl, localUrl(port)),
    secretsKey: optional('SECRETS_KEY', secretsKeys),
    allowsKeyMismatch: optional('SECRETS_KEY_MISMATCH', oneOf('allow')) !== undefined,
    trustedProxies,
    corsOrigins: withDefault('CORS_ORIGINS', originList, []),
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
  return { settings, faults };
}

const textOf = (env: NodeJS.ProcessEnv, name: string): string => env[name]?.trim() ?? '';

/** The shortest name whose misspelling is told apart from a variable of another program, such as PORTS. */
const SHORTEST_MISSPELT = 7;

/** The setting that a variable of another name is nearly: one letter more, less, other, or two changed places. */
function meantSetting(name: string): SettingName | undefined {
  if (name in FORMER_NAMES || (SETTING_NAMES as readonly string[]).includes(name)) return undefined;
  return SETTING_NAMES.find((setting) => setting.length >= SHORTEST_MISSPELT && isMisspelt(name, setting));
}

function isMisspelt(name: string, setting: string): boolean {
  if (Math.abs(name.length - setting.length) > 1) return false;
  let start = 0;
  while (start < name.length && name[start] === setting[start]) start++;
  const [rest, wanted] = [name.slice(start), setting.slice(start)];
  const isSwapped = rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
  return (
    isSwapped || [rest.slice(1), rest].some((tail) => tail === wanted.slice(1)) || rest.slice(1) === wanted
  );
}

/** Connections of one process: all processes together stay below PostgreSQL's default of 100. */
function defaultPool(processes: number): number {
  return Math.max(3, Math.min(20, Math.floor(60 / processes)));
}

/** Below this cost, guessing the password of a stolen hash is cheap. */
const LEAST_SAFE_BCRYPT_COST = 10;

/** Warnings about settings that are allowed but doubtful for a service with users, and about old names. */
export function startWarnings(settings: Settings, env: NodeJS.ProcessEnv = process.env): string[] {
  const { port, databaseUrl, smtpUrl, bcryptCost } = settings;
  const warnings = Object.entries(FORMER_NAMES).flatMap(([former, name]) =>
    textOf(env, former) === '' ? [] : [`${former} is now called ${name}`],
  );
  for (const name of Object.keys(env)) {
    const meant = meantSetting(name);
    if (meant !== undefined) warnings.push(`${name} is no setting: ${meant}?`);
  }
  if (databaseUrl !== undefined && bcryptCost < LEAST_SAFE_BCRYPT_COST) {
    warnings.push(
      `BCRYPT_COST is ${bcryptCost}: below ${LEAST_SAFE_BCRYPT_COST} stolen password hashes are quickly guessed`,
    );
  }
  if (textOf(env, 'LOGIN_IDLE_TTL') !== '' && settings.loginIdleTtl > settings.loginMaxTtl)
    warnings.push('LOGIN_IDLE_TTL is longer than LOGIN_MAX_TTL, which ends every login before');
  if (settings.testClock)
    warnings.push('TEST_CLOCK is on: admins can move the clock of this service, which is for tests alone');
  if (databaseUrl === undefined && smtpUrl === undefined) return warnings;
  const missing = [
    ...(settings.resetUrlTemplate === localResetUrl(port) ? ['RESET_URL_TEMPLATE'] : []),
    ...(settings.invitationUrlTemplate === localInvitationUrl(port) ? ['INVITATION_URL_TEMPLATE'] : []),
    ...(settings.publicUrl === localUrl(port) ? ['PUBLIC_URL'] : []),
  ];
  if (missing.length > 0) warnings.push(`${listed(missing)} not set: links in mails lead to localhost`);
  return warnings;
}

/** `A, B and C`. */
const listed = (names: readonly string[]): string => new Intl.ListFormat('en-GB').format(names);

const SECRET = /^(ADMIN_PASSWORD|SECRETS_KEY|SMTP_URL|DATABASE(_DIRECT)?_URL)$/;

/** A wrong secret is not repeated: start-up errors end up in logs. */
const quoted = (setting: string, text: string): string =>
  SECRET.test(setting) ? '' : `, but is ${JSON.stringify(text)}`;
