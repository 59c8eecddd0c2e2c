import { readSettings, SettingError } from './env';

const KEY = Buffer.alloc(32).toString('base64');

const faultOf = (env: Record<string, string>): string => {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
  return '';
};

it('has the defaults of decisions.md', () => {
  expect(readSettings({})).toMatchObject({
    variant: 'A',
    port: 3000,
    databaseUrl: undefined,
    rateLimit: true,
    loginIdleTtl: 7 * 86_400,
    loginMaxTtl: 30 * 86_400,
    resetTtl: 3600,
    invitationTtl: 30 * 86_400,
    apiKeyTtl: 365 * 86_400,
    bcryptCost: 12,
    strictBody: false,
    hideUnknownUsernames: false,
    allowTokenlessRegistration: false,
    listLimitMax: 1000,
    trustedProxies: [],
    corsOrigins: [],
  });
});

it('takes empty settings as absent, and trims the others', () => {
  expect(readSettings({ PORT: ' ', API_VARIANT: ' B ' })).toMatchObject({ port: 3000, variant: 'B' });
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
  ['DATABASE_POOL', '0'],
  ['DATABASE_URL', 'mysql://host/db'],
  ['ADMIN_USERNAME', 'admin'],
  ['SMTP_URL', 'http://mail'],
  ['MAIL_FROM', 'nobody'],
  ['RESET_URL_TEMPLATE', 'https://panel.example/reset'],
  ['INVITATION_URL_TEMPLATE', '/{token}'],
  ['RATE_LIMIT', 'maybe'],
  ['LOG_LEVEL', 'loud'],
  ['RESET_TTL', '1'],
  ['RESET_TTL', '1w'],
  ['RESET_TTL', '0s'],
  ['LOGIN_IDLE_TTL', '99999d'],
  ['BCRYPT_COST', '3'],
  ['BCRYPT_COST', '16'],
  ['LIST_LIMIT_MAX', '0'],
  ['STRICT_BODY', 'yes please'],
])('refuses %s=%s in one line that names it', (setting, value) => {
  const message = faultOf({ SECRETS_KEY: KEY, [setting]: value });
  expect(message).toMatch(new RegExp(`^${setting} .*[^\\n]$`));
  expect(message).not.toContain('\n');
});

it('asks for SECRETS_KEY with DATABASE_URL', () => {
  const url = 'postgres://user:planted@host/db';
  expect(faultOf({ DATABASE_URL: url })).toMatch(/^SECRETS_KEY /);
  expect(faultOf({ DATABASE_URL: url, SECRETS_KEY: KEY })).toBe('');
});

it('does not repeat a wrong secret', () => {
  expect(faultOf({ DATABASE_URL: 'mysql://user:planted@host/db' })).not.toContain('planted');
  expect(faultOf({ SMTP_URL: 'ftp://user:planted@host' })).not.toContain('planted');
});
