import { readSettings } from './env';
import { startWarnings } from './start-warnings';

const KEY = Buffer.alloc(32).toString('base64');

describe('warnings at start', () => {
  const DATABASE_URL = 'postgres://user:planted@host/db';
  const LINKS = {
    RESET_URL_TEMPLATE: 'https://panel.example/reset/{token}',
    INVITATION_URL_TEMPLATE: 'https://panel.example/register/{token}',
    PUBLIC_URL: 'https://api.example',
  };
  const warningsOf = (env: Record<string, string>): string[] =>
    startWarnings(readSettings({ SECRETS_KEY: KEY, ...env }), env);

  it('are none on the own machine, nor where all is set', () => {
    expect(warningsOf({ BCRYPT_COST: '4' })).toEqual([]);
    expect(warningsOf({ DATABASE_URL, ...LINKS })).toEqual([]);
    expect(warningsOf({ SMTP_URL: 'smtp://mail', BCRYPT_COST: '9', ...LINKS })).toEqual([]);
  });

  it('name what is nearly a setting, but not what belongs to other programs', () => {
    expect(warningsOf({ API_VARIENT: 'B', SECRET_KEY: 'x', PUBLICURL: 'x' })).toEqual([
      'unknown setting API_VARIENT; did you mean API_VARIANT?',
      'unknown setting SECRET_KEY; did you mean SECRETS_KEY?',
      'unknown setting PUBLICURL; did you mean PUBLIC_URL?',
    ]);
    const others = [
      'PATH',
      'PORTS',
      'HOSTNAME',
      'HOME',
      'WORKERS',
      'NODE_ENV',
      'DATABASE_NAME',
      'OTEL_SERVICE_NAME',
    ];
    expect(warningsOf(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([]);
  });

  it('name a lifetime that never counts', () => {
    expect(warningsOf({ LOGIN_IDLE_TTL: '60d', LOGIN_MAX_TTL: '30d' })).toEqual([
      expect.stringMatching(/^LOGIN_IDLE_TTL has no effect: LOGIN_MAX_TTL is shorter/),
    ]);
    // The default of LOGIN_IDLE_TTL is nobody's mistake.
    expect(warningsOf({ LOGIN_MAX_TTL: '1d' })).toEqual([]);
  });

  it('name what mails and stolen hashes would suffer from', () => {
    expect(warningsOf({ DATABASE_URL, ...LINKS, BCRYPT_COST: '9' })).toEqual([
      expect.stringMatching(/^BCRYPT_COST is 9/),
    ]);
    expect(warningsOf({ SMTP_URL: 'smtp://mail' })).toEqual([
      expect.stringMatching(/^PUBLIC_URL not set: links in mails lead to localhost$/),
    ]);
    expect(warningsOf({ TEST_CLOCK: 'on' })).toEqual([expect.stringMatching(/^TEST_CLOCK is on/)]);
  });
});
