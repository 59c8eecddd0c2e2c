import { parseExactly } from './exact-json';
import { looksSecret, shownPath, shownText, shownValue } from './masks';

const HEX = 'a1b2c3d4'.repeat(8);
const SECRETS = [
  HEX,
  HEX.slice(0, 16),
  HEX.toUpperCase(),
  'deadbeef'.repeat(2),
  'kXb3yQ9rT0mN7cVw',
  `Bearer ${HEX}`,
  'Basic YW5uYTpwYXNz',
  '$1$Zp3kWq81$tVo2jkEj/paZhLGHi4q4q.',
  '$2b$10$abcdefghijklmnopqrstuv',
  'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVP_mB92K27uhbUJU1p1r',
  '-----BEGIN PRIVATE KEY-----',
];
const PLAIN = [
  'Anna de Boer',
  'anna@bakery.example',
  'web12.bakery.example',
  'ROLE_CUSTADMIN',
  'disk_full',
  'NL001234567B01',
  '1700000000',
  '2026-11-28T10:00:00.000Z',
  'organisations',
  'Bakkerij-de-Vries-Winkels',
];

it.each(SECRETS)('takes %j for a secret, and shows nothing of it', (secret) => {
  expect(looksSecret(secret)).toBe(true);
  expect(JSON.stringify(shownValue({ a: [secret] }))).not.toContain(secret.slice(-10));
  expect(shownText(`see https://x.example/?t=${secret.slice(-40)}`)).not.toContain(HEX.slice(0, 16));
});

it.each(PLAIN)('shows %j', (text) => {
  expect(shownText(text)).toBe(text);
});

it.each([
  'password',
  'hash',
  'hash2fa',
  '2faToken',
  'secret',
  '6digitCode',
  'confirmationCode',
  'cp3Password',
])('shows no value named %s, at any depth', (name) => {
  expect(JSON.stringify(shownValue({ a: { [name]: 'x1' } }))).not.toContain('x1');
  expect(JSON.stringify(shownValue({ [name]: ['x1', { b: 'x2' }] }))).not.toMatch(/x1/);
  expect(JSON.stringify(shownValue({ [name]: 123456 }))).not.toContain('123456');
  expect(shownValue('x1', name)).toBe('(masked, 2 characters)');
});

it('keeps the type of small values, and shortens large ones', () => {
  expect(shownValue(5)).toBe(5);
  expect(shownValue('5')).toBe('5');
  expect(shownValue(parseExactly('1.50')?.value)).toBe('1.50');
  expect(shownValue([])).toEqual([]);
  expect(shownValue({})).toEqual({});
  expect(shownValue(Array.from({ length: 500 }, () => 1))).toBe('(a list of 500)');
  expect(String(shownValue('long '.repeat(100)))).toMatch(/^.{200}… \(500 characters\)$/);
});

it.each([
  ['/registerInvitation/short', '/registerInvitation/{token}', '/registerInvitation/{masked}'],
  [`/downloadpdf/5/7/${HEX}?x=1`, '/downloadpdf/{id}/{contactId}/{hash}', '/downloadpdf/5/7/{masked}?x=1'],
  ['/users?token=x&limit=2', '/users', '/users?token={masked}&limit=2'],
  [`/users?q=${HEX}&filter=Anna`, '/users', '/users?q={masked}&filter=Anna'],
  [`/users?${HEX}=1`, '/users', '/users?{masked}={masked}'],
  [`/jobs/${HEX}`, '/jobs/{…}', '/jobs/{masked}'],
  [
    '/organisations/5/users?limit=2',
    '/organisations/{organisationId}/users',
    '/organisations/5/users?limit=2',
  ],
])('shows the path %s as %s allows', (path, template, shown) => {
  expect(shownPath(path, template)).toBe(shown);
});
