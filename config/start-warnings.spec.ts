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
  const LINK_TARGETS = { PANEL_URL: 'https://panel.example', SUPPORT_URL: 'help@panel.example' };
  const SMTP = { SMTP_URL: 'smtp://mail', MAIL_FROM: 'no-reply@panel.example', ...LINK_TARGETS };
  const warningsOf = (env: Record<string, string>): string[] =>
    startWarnings(readSettings({ SECRETS_KEY: KEY, ...env }), env);

  it('are none on the own machine, nor where all is set', () => {
    expect(warningsOf({ BCRYPT_COST: '4' })).toEqual([]);
    expect(warningsOf({ DATABASE_URL, ...LINKS })).toEqual([]);
    expect(warningsOf({ ...SMTP, BCRYPT_COST: '9', ...LINKS })).toEqual([]);
    expect(warningsOf({ ...SMTP, PUBLIC_URL: 'https://api.example' })).toEqual([]);
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
    expect(warningsOf(SMTP)).toEqual(['PUBLIC_URL not set: links in mails lead to localhost']);
    expect(warningsOf({ ...SMTP, PAGES: 'off' })).toEqual([
      'RESET_URL_TEMPLATE, INVITATION_URL_TEMPLATE, USERNAME_URL_TEMPLATE and PUBLIC_URL not set: links in mails lead to localhost',
    ]);
    expect(warningsOf({ ...LINKS, SMTP_URL: 'smtp://mail' })).toEqual([
      'MAIL_FROM not set: mails leave as no-reply@localhost.localdomain, which nobody can answer',
      'PANEL_URL not set: pages and mails end without a way to log in, unless the brand of organisation 1 has it',
      'SUPPORT_URL not set: pages and mails name nobody to ask, unless the brand of organisation 1 has it',
    ]);
    expect(warningsOf({ TEST_CLOCK: 'on' })).toEqual([expect.stringMatching(/^TEST_CLOCK is on/)]);
  });

  it.each(['http://localhost:3010', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'https://api.localhost'])(
    'do not call a setting absent that leads to this machine: %s',
    (PUBLIC_URL) => {
      expect(warningsOf({ ...SMTP, PUBLIC_URL })).toEqual([
        'PUBLIC_URL on localhost: links in mails open on this machine alone',
      ]);
    },
  );

  it('name links that cross the network in clear', () => {
    const RESET_URL_TEMPLATE = 'http://panel.example/reset/{token}';
    expect(warningsOf({ DATABASE_URL, ...LINKS, PUBLIC_URL: 'http://api.example' })).toEqual([
      'PUBLIC_URL without https: passwords and the tokens of links cross the network in clear',
    ]);
    expect(warningsOf({ ...SMTP, ...LINKS, RESET_URL_TEMPLATE, PUBLIC_URL: 'http://10.0.0.5:3000' })).toEqual(
      [
        'RESET_URL_TEMPLATE and PUBLIC_URL without https: passwords and the tokens of links cross the network in clear',
      ],
    );
  });
});
