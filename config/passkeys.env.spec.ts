import { parseSettings } from './env';

const ORIGIN = 'https://panel.example.com';
const read = (rpId: string, origins: string) =>
  parseSettings({ PASSKEY_RP_ID: rpId, PASSKEY_ORIGINS: origins });

it.each([
  ['example.com', 'https://example.com, https://panel.example.com:8443'],
  ['localhost', 'http://localhost:3000,http://panel.localhost'],
])('passkeys of the domain %s belong to %s', (rpId, origins) => {
  const { settings, faults } = read(rpId, origins);
  expect(faults).toEqual([]);
  expect(settings.passkeys).toEqual({ rpId, origins: origins.split(/, ?/) });
});

it('there are no passkeys without the settings', () => {
  expect(parseSettings({}).settings.passkeys).toBeUndefined();
});

it.each<readonly [rpId: string, origins: string, line: string | RegExp]>([
  ['example.com', '', 'PASSKEY_ORIGINS is required with PASSKEY_RP_ID'],
  ['', ORIGIN, 'PASSKEY_RP_ID is required with PASSKEY_ORIGINS'],
  [
    'example.com',
    'https://example.com,https://badexample.com',
    'PASSKEY_ORIGINS must list pages at PASSKEY_RP_ID example.com or beneath it, but has https://badexample.com',
  ],
  ['panel.example.com', 'https://example.com', /^PASSKEY_ORIGINS must list pages at /],
  ...[
    'https://example.com',
    'example.com:8443',
    'Example.com',
    '192.0.2.1',
    '[::1]',
    'example..com',
    '*.com',
  ].map((rpId) => [rpId, ORIGIN, /^PASSKEY_RP_ID must be a domain .*, but is /] as const),
  ...[
    'panel.example.com',
    'http://panel.example.com',
    'https://panel.example.com/',
    'capacitor://localhost',
    `${ORIGIN}, *`,
    ',',
  ].map((origins) => ['example.com', origins, /^PASSKEY_ORIGINS must list origins .*, but is /] as const),
])('PASSKEY_RP_ID=%s with PASSKEY_ORIGINS=%s is one fault', (rpId, origins, line) => {
  const { faults } = read(rpId, origins);
  expect(faults).toEqual([expect.stringMatching(line)]);
});
