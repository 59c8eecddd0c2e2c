import { MAIL_AND_LINKS } from './mail.settings';
import { PASSKEY_PARTY } from './passkeys.env';
import { addition, optional, type Rows, type Setting, setting, settingsIn, type ValuesOf } from './setting';
import * as parse from './setting-parsers';
import { END_OF_VARIANT_B } from './variant-b.env';

const FIRST_DEPLOYMENT = {
  port: setting('PORT', parse.wholeNumber(0, 65_535), '3000', 'TCP port of the service'),
  variant: setting('API_VARIANT', parse.oneOf('A', 'B'), 'A', 'wire variant, `A` or `B`', {
    deployment: 'A',
  }),
  databaseUrl: optional(
    'DATABASE_URL',
    parse.databaseUrl,
    'PostgreSQL 15 or newer; without it an embedded one under `DATA_DIR`',
    { secret: true, deployment: 'postgresql://account:PASSWORD@db.internal/account?sslmode=verify-full' },
  ),
  secretsKey: optional(
    'SECRETS_KEY',
    parse.secretsKeys,
    '32 random bytes in base64 that encrypt TOTP secrets and waiting mails; several, ' +
      'comma-separated, to rotate (the first encrypts). Required with `DATABASE_URL`',
    {
      secret: true,
      instead: 'generated under DATA_DIR',
      example: '',
      deployment: '(openssl rand -base64 32)',
    },
  ),
  allowsKeyMismatch: addition(
    'SECRETS_KEY_MISMATCH',
    (text) => parse.oneOf('allow')(text) === 'allow',
    false,
    '`allow`: the start goes on, with a warning, when the keys in `SECRETS_KEY` cannot open what ' +
      'is stored; without it the start ends and names how many secrets of which kind',
  ),
  adminUsername: optional(
    'ADMIN_USERNAME',
    parse.emailAddress,
    'e-mail address of the first admin, for the first start on an empty database only; by the rules of Variant A',
    { instead: 'generated, printed once', example: 'admin@example.com', deployment: 'admin@example.com' },
  ),
  adminPassword: optional(
    'ADMIN_PASSWORD',
    parse.anyText,
    'password of the first admin, for the first start on an empty database only',
    { secret: true, instead: 'generated, printed once', example: '', deployment: '(openssl rand -hex 16)' },
  ),
  host: setting('HOST', parse.anyText, '0.0.0.0', 'address to listen on'),
  dataDir: setting(
    'DATA_DIR',
    parse.folder,
    '.data',
    'folder of the embedded database, the generated key, and mails without a mail server',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    parse.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'least severe level in the log: `fatal`, `error`, `warn`, `info`, `debug`, `trace`, `silent`',
  ),
};

const SECURITY = {
  loginIdleTtl: setting('LOGIN_IDLE_TTL', parse.duration, '7d', 'lifetime of a login after its last use'),
  loginMaxTtl: setting('LOGIN_MAX_TTL', parse.duration, '30d', 'maximum lifetime of a login'),
  resetTtl: setting('RESET_TTL', parse.duration, '1h', 'lifetime of a reset token'),
  invitationTtl: setting('INVITATION_TTL', parse.duration, '30d', 'lifetime of an invitation'),
  apiKeyTtl: setting('API_KEY_TTL', parse.duration, '365d', 'lifetime of a new API key'),
  bcryptCost: setting('BCRYPT_COST', parse.wholeNumber(4, 15), '12', 'cost of password hashes, 4 to 15'),
  stepUp: setting(
    'STEP_UP',
    parse.onOff,
    'off',
    'a user must send `password` (and `6digitCode`) to change a user name, to switch a second ' +
      'factor off or delete a passkey, to give a role that manages others (to a user or by an ' +
      'invitation) or a grant that manages, to set a hash by `cp3`, and to make recovery codes, ' +
      'API keys, service keys or webhooks, or let one of the last three do more than before. ' +
      'Adding passkeys asks for it always',
    { example: '' },
  ),
  hideUnknownUsernames: setting(
    'HIDE_UNKNOWN_USERNAMES',
    parse.onOff,
    'off',
    'unknown user names get 401 like wrong passwords, not 404',
  ),
  allowTokenlessRegistration: setting(
    'ALLOW_TOKENLESS_REGISTRATION',
    parse.onOff,
    'off',
    'the deprecated `POST /registerInvitation` works',
  ),
  strictBody: setting('STRICT_BODY', parse.onOff, 'off', 'unknown body fields are refused, not ignored'),
  rateLimit: setting(
    'RATE_LIMIT',
    parse.onOff,
    'on',
    'at most 60 calls a minute without a valid credential (`/docs`, `/metrics` and responses ' +
      'with 401 included) from one IP address, for IPv6 from one /64; right logins are not among ' +
      'them: at most 1,000 of an address and 60 of a user',
  ),
  listLimitMax: setting(
    'LIST_LIMIT_MAX',
    parse.wholeNumber(1, 1_000_000),
    '1000',
    'maximum items of a list response',
  ),
  corsOrigins: addition(
    'CORS_ORIGINS',
    parse.originList,
    [],
    'origins that browsers may call from, comma-separated, such as `https://panel.example.com`: ' +
      'scheme and host in lower case, no path, no default port, no `*`',
    { example: '' },
  ),
  passkeys: PASSKEY_PARTY,
  geoipDb: optional(
    'GEOIP_DB',
    parse.anyText,
    'MaxMind-format file for the country of a trusted device or a login',
  ),
  retention: {
    audit: optional(
      'RETENTION_AUDIT',
      parse.retention,
      'how long rows of the audit log stay, `30d` or more; without it for ever',
      { example: '730d' },
    ),
    notifications: optional(
      'RETENTION_NOTIFICATIONS',
      parse.retention,
      'how long notifications with their recipients stay, `30d` or more; without it for ever',
      { example: '365d' },
    ),
    invitations: optional(
      'RETENTION_INVITATIONS',
      parse.retention,
      'how long invitations stay after their use, withdrawal or expiry, `30d` or more; without it for ever',
      { example: '90d' },
    ),
  },
};

const PROCESSES = {
  trustedProxies: addition(
    'TRUSTED_PROXIES',
    parse.addressList,
    [],
    'IP addresses and ranges, comma-separated, whose `X-Forwarded-For` counts: the proxy in ' +
      'front, and a panel whose server logs its users in; a stopping process serves for [5 s ' +
      'more](operations.md#start-and-stop)',
    {
      example: '',
      deployment: '10.0.0.10',
      inPods: '10.244.0.0/16',
      hint: 'Docker shows its gateway as the client: without the address of the proxy here all clients share limits and whitelists',
    },
  ),
  webhookNetworks: addition(
    'WEBHOOK_NETWORKS',
    parse.addressList,
    [],
    'IP addresses and ranges, comma-separated, that webhooks of the operator organisation reach though they are not public, also with http',
    { example: '' },
  ),
  databasePool: setting(
    'DATABASE_POOL',
    parse.wholeNumber(1, 500),
    '20',
    'maximum of connections of a process for requests, 1 to 500, in addition to [two for short reads](database.md#capacity)',
    { example: '' },
  ),
  databaseDirectUrl: optional(
    'DATABASE_DIRECT_URL',
    parse.databaseUrl,
    'PostgreSQL itself, for migrations, jobs and the command line; required where `DATABASE_URL` leads to a pooler in transaction mode, and only there',
    { secret: true },
  ),
  worker: setting(
    'WORKER',
    parse.onOff,
    'on',
    'the API process also sends mails and cleans up; `off` if `apps/worker` runs',
  ),
};

const TESTS = {
  testClock: setting(
    'TEST_CLOCK',
    parse.onOff,
    'off',
    'admins can move the clock; only with a database that was empty at its first start with this setting ([qa.md](qa.md))',
  ),
};

/** Every setting of the service, by the headings of docs/settings.md. OpenTelemetry reads its own. */
export const SETTINGS: Readonly<Record<string, Rows>> = {
  'First deployment': FIRST_DEPLOYMENT,
  'Mail and links': MAIL_AND_LINKS,
  'Security and house rules': SECURITY,
  'Proxies, poolers and several processes': PROCESSES,
  'The end of Variant B': END_OF_VARIANT_B,
  Tests: TESTS,
};

/** The settings of each heading. */
export const settingsByHeading = (): Record<string, readonly Setting<unknown>[]> =>
  Object.fromEntries(Object.entries(SETTINGS).map(([heading, rows]) => [heading, settingsIn(rows)]));

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.values(settingsByHeading())
  .flat()
  .map(({ name }) => name);

/** The values of the table, row by row. */
export interface SettingValues
  extends
    ValuesOf<typeof FIRST_DEPLOYMENT>,
    ValuesOf<typeof MAIL_AND_LINKS>,
    ValuesOf<typeof SECURITY>,
    ValuesOf<typeof PROCESSES>,
    ValuesOf<typeof END_OF_VARIANT_B>,
    ValuesOf<typeof TESTS> {}
