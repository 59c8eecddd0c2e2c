import { readSettings } from './env';
import { SettingError } from './operator-errors';

const KEY = Buffer.alloc(32).toString('base64');

const validate = (env: Record<string, string>): string => {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
  return '';
};

it('has the defaults of docs/settings.md', () => {
  expect(readSettings({})).toMatchObject({
    variant: 'A',
    port: 3000,
    databaseUrl: undefined,
    loginIdleTtl: 7 * 86_400,
    loginMaxTtl: 30 * 86_400,
    resetTtl: 3600,
    invitationTtl: 30 * 86_400,
    apiKeyTtl: 365 * 86_400,
    retention: { audit: undefined, notifications: undefined, invitations: undefined },
    databasePool: 20,
    bcryptCost: 12,
    strictBody: false,
    hideUnknownUsernames: false,
    allowTokenlessRegistration: false,
    trustedProxies: [],
    webhookNetworks: [],
    corsOrigins: [],
    passkeys: undefined,
  });
});

it('keeps what RETENTION_… names for so many days, and the rest for ever', () => {
  const env = { RETENTION_AUDIT: '720h', RETENTION_NOTIFICATIONS: '3650d' };
  const day = 86_400;
  expect(readSettings(env).retention).toEqual({ audit: 30 * day, notifications: 3650 * day });
});

it('names every fault at once, each in a line', () => {
  const faults = validate({
    API_VARIANT: 'C',
    PORT: 'x',
    DATABASE_URL: 'mysql://planted',
    DATABASE_DIRECT_URL: 'mysql://planted',
    RETENTION_AUDIT: '1d',
  }).split('\n');
  expect(faults.map((line) => line.split(' ')[0])).toEqual([
    'PORT',
    'API_VARIANT',
    'DATABASE_URL',
    'RETENTION_AUDIT',
    'DATABASE_DIRECT_URL',
    'SECRETS_KEY',
  ]);
});

it('takes empty settings as absent, and trims the others', () => {
  expect(readSettings({ PORT: ' ', LOG_LEVEL: ' warn ' })).toMatchObject({ port: 3000, logLevel: 'warn' });
});

it.each([
  ['90s', 90],
  ['15m', 900],
  ['24h', 86_400],
  ['30d', 2_592_000],
])('reads the duration %s', (text, seconds) => {
  expect(readSettings({ RESET_TTL: text }).resetTtl).toBe(seconds);
});

it.each([
  ['API_VARIANT', 'C'],
  ['API_VARIANT', 'a'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '3e3'],
  ['DATABASE_URL', 'mysql://host/db'],
  ['DATABASE_URL', 'postgres://host/db?target_session_attrs=prefer-standby'],
  ['DATABASE_URL', 'postgres://one,two/db?port=1,2,3'],
  ['DATABASE_URL', 'postgres://user:100%planted@host/db'],
  ['DATABASE_URL', 'postgres://user:caf%E9@host/db'],
  ['DATABASE_DIRECT_URL', 'mysql://host/db'],
  ['DATABASE_POOL', '0'],
  ['DATABASE_POOL', '501'],
  ['DATABASE_POOL', 'many'],
  ['ADMIN_USERNAME', 'admin'],
  ['ADMIN_USERNAME', 'chef@a\u200db.example'],
  ['ADMIN_USERNAME', 'chef@\u00ad'],
  ['SMTP_URL', 'http://mail'],
  ['MAIL_FROM', 'nobody'],
  ['MAIL_FROM', 'no-reply@a\u200db.example'],
  ['MAIL_FROM', 'no-reply@m\u00fcnchen.example/x'],
  ['MAIL_FROM', 'b\u00fcro@hoster.example'],
  ['ADMIN_USERNAME', 'b\u00fcro@hoster.example'],
  ['RESET_URL_TEMPLATE', 'https://panel.example/reset'],
  ['INVITATION_URL_TEMPLATE', '/{token}'],
  ['PUBLIC_URL', 'api.example'],
  ['PUBLIC_URL', 'ftp://api.example'],
  ['PUBLIC_URL', 'https://api.example/?a=b'],
  ['LOG_LEVEL', 'loud'],
  ['RESET_TTL', '1'],
  ['RESET_TTL', '1w'],
  ['RESET_TTL', '0s'],
  ['LOGIN_IDLE_TTL', '99999d'],
  ['RETENTION_AUDIT', '29d'],
  ['RETENTION_AUDIT', '3651d'],
  ['RETENTION_NOTIFICATIONS', 'off'],
  ['RETENTION_INVITATIONS', '90'],
  ['SECRETS_KEY', 'c2hvcnQ='],
  ['SECRETS_KEY', `${KEY},${KEY}`],
  ['BCRYPT_COST', '3'],
  ['BCRYPT_COST', '16'],
  ['MAIL_HOURLY_LIMIT', '0'],
  ['MAIL_HOURLY_LIMIT', '1000001'],
  ['MAIL_HOURLY_LIMIT', 'none'],
  ['STRICT_BODY', 'yes please'],
  ['RATE_LIMIT', '1'],
  ['STEP_UP', '0'],
  ['TEST_CLOCK', 'tomorrow'],
  ['TRUSTED_PROXIES', '10.0.0.0/8, proxy.example'],
  ['TRUSTED_PROXIES', '10.0.0.1/8'],
  ['WEBHOOK_NETWORKS', 'receiver.example'],
  ['PUBLIC_URL', 'https://api.example/v1'],
  ['PUBLIC_URL', 'https://api.example/account/v1/'],
  ['CORS_ORIGINS', 'panel.example.com'],
  ['CORS_ORIGINS', '*'],
  ['CORS_ORIGINS', 'null'],
  ['CORS_ORIGINS', 'https://panel.example.com/'],
  ['CORS_ORIGINS', 'https://panel.example.com/login'],
  ['CORS_ORIGINS', 'https://panel.example.com:443'],
  ['CORS_ORIGINS', 'https://Panel.example.com'],
  ['CORS_ORIGINS', 'https://*.example.com'],
  ['CORS_ORIGINS', 'https://panel.example.com, https://jan@panel.example.com'],
])('refuses %s=%s in one line that names it', (setting, value) => {
  const message = validate({ SECRETS_KEY: KEY, [setting]: value });
  expect(message).toMatch(new RegExp(`^${setting} .*[^\\n]$`));
  expect(message).not.toContain('\n');
});

it('takes origins as browsers send them', () => {
  const origins = [
    'https://panel.example.com',
    'http://localhost:8080',
    'http://[::1]:8080',
    'capacitor://localhost',
  ];
  expect(readSettings({ CORS_ORIGINS: origins.join(', ') }).corsOrigins).toEqual(origins);
});

it.each([
  ['on', true],
  ['true', true],
  ['ON', true],
  ['off', false],
  ['false', false],
])('takes %s for a switch', (text, value) => {
  expect(readSettings({ RATE_LIMIT: text, STEP_UP: text, WORKER: text })).toMatchObject({
    rateLimit: value,
    stepUp: value,
    worker: value,
  });
});

it('names SECRETS_KEY once in its line', () => {
  expect(validate({ SECRETS_KEY: 'c2hvcnQ=' })).toBe(
    'SECRETS_KEY cannot be used: key 1 is not the base64 of exactly 32 bytes',
  );
});

it('takes PUBLIC_URL without the slashes at its end', () => {
  const { publicUrl } = readSettings({ PUBLIC_URL: 'https://api.example/account//' });
  expect(publicUrl).toBe('https://api.example/account');
});

it('refuses a way past the pooler without the way through it', () => {
  const direct = { SECRETS_KEY: KEY, DATABASE_DIRECT_URL: 'postgres://host:5433/db' };
  expect(validate(direct)).toMatch(/^DATABASE_URL is required with DATABASE_DIRECT_URL/);
  expect(validate({ ...direct, DATABASE_URL: 'postgres://host/db' })).toBe('');
});

it.each([
  [{}, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }, true],
])('sends traces only if it is told where to: %j', (env, tracing) => {
  expect(readSettings(env).tracing).toBe(tracing);
});

it('refuses an OTEL_EXPORTER_OTLP_ENDPOINT that is no URL in one line', () => {
  expect(validate({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toMatch(
    /^OTEL_EXPORTER_OTLP_ENDPOINT must /,
  );
});

it('asks for SECRETS_KEY with DATABASE_URL', () => {
  const url = 'postgres://user:planted@host/db';
  expect(validate({ DATABASE_URL: url })).toMatch(/^SECRETS_KEY /);
  expect(validate({ DATABASE_URL: url, SECRETS_KEY: KEY })).toBe('');
});

it.each([
  ['', 20],
  ['1', 1],
  ['500', 500],
])('has with DATABASE_POOL=%s at most %d connections for requests', (text, connections) => {
  expect(readSettings({ DATABASE_POOL: text }).databasePool).toBe(connections);
});

it('does not repeat a wrong secret', () => {
  expect(validate({ DATABASE_URL: 'mysql://user:planted@host/db' })).not.toContain('planted');
  expect(validate({ SMTP_URL: 'ftp://user:planted@host' })).not.toContain('planted');
});

it.each([
  ['SMTP_URL', 'smtp://user:p#planted@host'],
  ['SMTP_URL', 'smtps://user:p/planted@host:465'],
  ['SMTP_URL', 'smtp://user:p?planted@host'],
  ['SMTP_URL', 'smtp://user:12#planted@host'],
  ['DATABASE_URL', 'postgres://user:p#planted@host/db'],
  ['DATABASE_URL', 'postgres://user:1234#planted@host/db'],
  ['DATABASE_URL', 'postgres://user:1234/planted@host/db'],
  ['DATABASE_URL', 'postgres://user:p/planted@host/db'],
  ['DATABASE_DIRECT_URL', 'postgres://user:p?planted@host/db'],
])('says how the characters of a password stand in %s: %s', (name, url) => {
  const faults = validate({ [name]: url });
  expect(faults).toContain('%23 for #, %2F for / and %3F for ?');
  expect(faults).not.toContain('planted');
});

it('takes a password with such characters in their encoded form, and an @ behind the host', () => {
  expect(readSettings({ SMTP_URL: 'smtp://user:p%23%2F%3F@host?name=a@b' })).toMatchObject({
    smtpUrl: 'smtp://user:p%23%2F%3F@host?name=a@b',
  });
  expect(readSettings({ DATABASE_URL: 'postgres://host/db?user=me@azure', SECRETS_KEY: KEY })).toMatchObject({
    databaseUrl: 'postgres://host/db?user=me@azure',
  });
});

it('takes addresses with a domain in any letters, in their ASCII form', () => {
  const env = {
    ADMIN_USERNAME: 'chef@m\u00fcnchen.example',
    MAIL_FROM: 'M\u00fcnchen Hosting <no-reply@mu\u0308nchen.example>',
    SUPPORT_URL: 'help@m\u00fcnchen.example',
  };
  expect(readSettings(env)).toMatchObject({
    adminUsername: 'chef@xn--mnchen-3ya.example',
    mailFrom: 'no-reply@xn--mnchen-3ya.example',
    mailFromName: 'M\u00fcnchen Hosting',
    companyName: 'M\u00fcnchen Hosting',
    supportUrl: 'mailto:help@xn--mnchen-3ya.example',
  });
});
