import { SettingError } from '@app/core/settings/setting-error';
import { readSettings, startWarnings } from './env';

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
    usageRetention: 400 * 86_400,
    bcryptCost: 12,
    strictBody: false,
    hideUnknownUsernames: false,
    allowTokenlessRegistration: false,
    listLimitMax: 1000,
    trustedProxies: [],
    corsOrigins: [],
  });
});

it.each(['AUDIT_RETENTION', 'NOTIFICATION_RETENTION', 'INVITATION_RETENTION'] as const)(
  'keeps for ever without %s, and where it is off',
  (setting) => {
    const valuesOf = (env: Record<string, string>) => {
      const { auditRetention, notificationRetention, invitationRetention } = readSettings(env);
      return [auditRetention, notificationRetention, invitationRetention];
    };
    expect(valuesOf({})).toEqual([undefined, undefined, undefined]);
    expect(valuesOf({ [setting]: 'off' })).toEqual([undefined, undefined, undefined]);
    expect(valuesOf({ [setting]: '30d' })).toContain(30 * 86_400);
  },
);

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
  ['DATABASE_POOL', '0'],
  ['PROCESSES', '0'],
  ['PROCESSES', '65'],
  ['DATABASE_URL', 'mysql://host/db'],
  ['DATABASE_URL', 'postgres://host/db?target_session_attrs=any'],
  ['DATABASE_URL', 'postgres://one,two/db?port=1,2,3'],
  ['DATABASE_DIRECT_URL', 'mysql://host/db'],
  ['DATABASE_POOLER', 'statement'],
  ['DRAIN_DELAY', 'soon'],
  ['ADMIN_USERNAME', 'admin'],
  ['SMTP_URL', 'http://mail'],
  ['MAIL_FROM', 'nobody'],
  ['RESET_URL_TEMPLATE', 'https://panel.example/reset'],
  ['INVITATION_URL_TEMPLATE', '/{token}'],
  ['PUBLIC_URL', 'api.example'],
  ['PUBLIC_URL', 'ftp://api.example'],
  ['PUBLIC_URL', 'https://api.example/?a=b'],
  ['RATE_LIMIT', 'maybe'],
  ['LOG_LEVEL', 'loud'],
  ['RESET_TTL', '1'],
  ['RESET_TTL', '1w'],
  ['RESET_TTL', '0s'],
  ['LOGIN_IDLE_TTL', '99999d'],
  ['AUDIT_RETENTION', '29d'],
  ['NOTIFICATION_RETENTION', 'for ever'],
  ['INVITATION_RETENTION', '0'],
  ['USAGE_RETENTION', '1d'],
  ['BCRYPT_COST', '3'],
  ['BCRYPT_COST', '16'],
  ['LIST_LIMIT_MAX', '0'],
  ['MAIL_HOURLY_LIMIT', '0'],
  ['MAIL_HOURLY_LIMIT', '1000001'],
  ['MAIL_HOURLY_LIMIT', 'none'],
  ['STRICT_BODY', 'yes please'],
  ['TEST_CLOCK', 'tomorrow'],
  ['TRUSTED_PROXIES', '10.0.0.0/8, proxy.example'],
  ['TRUSTED_PROXIES', '10.0.0.1/8'],
])('refuses %s=%s in one line that names it', (setting, value) => {
  const message = validate({ SECRETS_KEY: KEY, [setting]: value });
  expect(message).toMatch(new RegExp(`^${setting} .*[^\\n]$`));
  expect(message).not.toContain('\n');
});

it('takes PUBLIC_URL without the slashes at its end', () => {
  const { publicUrl } = readSettings({ PUBLIC_URL: 'https://api.example/account//' });
  expect(publicUrl).toBe('https://api.example/account');
});

it.each([
  [{}, 0],
  [{ TRUSTED_PROXIES: '10.0.0.1' }, 5],
  [{ TRUSTED_PROXIES: '10.0.0.1', DRAIN_DELAY: '0s' }, 0],
  [{ DRAIN_DELAY: '20s' }, 20],
])('goes on serving after a stop with %j for %d seconds', (env, seconds) => {
  expect(readSettings(env).drainDelay).toBe(seconds);
});

it.each([
  [{}, 1, 20],
  [{ PROCESSES: '3' }, 3, 20],
  [{ PROCESSES: '8' }, 8, 7],
  [{ PROCESSES: '64' }, 64, 3],
  [{ PROCESSES: '8', DATABASE_POOL: '30' }, 8, 30],
])('has with %j %d processes of %d connections each', (env, processes, databasePool) => {
  expect(readSettings(env)).toMatchObject({ processes, databasePool });
});

it('asks for PostgreSQL itself where a pooler hands connections out for a transaction', () => {
  const pooled = { SECRETS_KEY: KEY, DATABASE_URL: 'postgres://host/db', DATABASE_POOLER: 'transaction' };
  expect(validate(pooled)).toMatch(/^DATABASE_DIRECT_URL /);
  expect(validate({ ...pooled, DATABASE_DIRECT_URL: 'postgres://host:5433/db' })).toBe('');
  expect(validate({ ...pooled, DATABASE_POOLER: 'session' })).toBe('');
});

it('sends no traces unless it is told where to', () => {
  expect(readSettings({})).toMatchObject({
    otlpEndpoint: undefined,
    otlpHeaders: {},
    otlpTimeout: 10_000,
    otelServiceName: 'account-api',
    otelTracesSampler: 'parentbased_always_on',
    otelTracesSamplerArg: 1,
  });
});

it('reads what OpenTelemetry names', () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b%3D, x-scope = c',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  };
  expect(readSettings(env)).toMatchObject({
    otlpEndpoint: 'http://collector:4318',
    otlpHeaders: { 'api-key': 'a b=', 'x-scope': 'c' },
    otelTracesSampler: 'traceidratio',
    otelTracesSamplerArg: 0.25,
  });
});

it.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ['OTEL_TRACES_SAMPLER_ARG', '-0.1'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'Bearer planted'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'key=%planted'],
])('refuses %s=%s in one line', (name, value) => {
  expect(validate({ [name]: value })).toMatch(new RegExp(`^${name} must `));
});

it('asks for SECRETS_KEY with DATABASE_URL', () => {
  const url = 'postgres://user:planted@host/db';
  expect(validate({ DATABASE_URL: url })).toMatch(/^SECRETS_KEY /);
  expect(validate({ DATABASE_URL: url, SECRETS_KEY: KEY })).toBe('');
});

it('does not repeat a wrong secret', () => {
  expect(validate({ DATABASE_URL: 'mysql://user:planted@host/db' })).not.toContain('planted');
  expect(validate({ SMTP_URL: 'ftp://user:planted@host' })).not.toContain('planted');
  expect(validate({ OTEL_EXPORTER_OTLP_HEADERS: 'Bearer planted' })).not.toContain('planted');
});

describe('warnings at start', () => {
  const DATABASE_URL = 'postgres://user:planted@host/db';
  const LINKS = {
    RESET_URL_TEMPLATE: 'https://panel.example/reset/{token}',
    INVITATION_URL_TEMPLATE: 'https://panel.example/register/{token}',
    PUBLIC_URL: 'https://api.example',
  };
  const warningsOf = (env: Record<string, string>): string[] =>
    startWarnings(readSettings({ SECRETS_KEY: KEY, ...env }));

  it('are none on the own machine, nor where all is set', () => {
    expect(warningsOf({ BCRYPT_COST: '4' })).toEqual([]);
    expect(warningsOf({ DATABASE_URL, ...LINKS })).toEqual([]);
    expect(warningsOf({ SMTP_URL: 'smtp://mail', BCRYPT_COST: '9', ...LINKS })).toEqual([]);
  });

  it('name what mails and stolen hashes would suffer from', () => {
    expect(warningsOf({ DATABASE_URL, ...LINKS, BCRYPT_COST: '9' })).toEqual([
      expect.stringMatching(/^BCRYPT_COST is 9/),
    ]);
    expect(warningsOf({ SMTP_URL: 'smtp://mail' })).toEqual([
      expect.stringMatching(/^RESET_URL_TEMPLATE, INVITATION_URL_TEMPLATE and PUBLIC_URL not set/),
    ]);
    expect(warningsOf({ TEST_CLOCK: 'on' })).toEqual([expect.stringMatching(/^TEST_CLOCK is on/)]);
    const { RESET_URL_TEMPLATE, PUBLIC_URL } = LINKS;
    expect(warningsOf({ DATABASE_URL, RESET_URL_TEMPLATE, PUBLIC_URL })).toEqual([
      expect.stringMatching(/^INVITATION_URL_TEMPLATE not set/),
    ]);
  });
});
