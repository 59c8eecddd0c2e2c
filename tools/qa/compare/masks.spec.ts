import { parseExactly } from './exact-json';
import { shownOrder, shownPath, shownText, shownValue } from './masks';
import { looksSecret, tellingName } from './secrets';

const HEX = 'a1b2c3d4'.repeat(8);
const SECRETS = [
  HEX,
  HEX.slice(0, 16),
  HEX.toUpperCase(),
  'deadbeef'.repeat(2),
  'kXb3yQ9rT0mN7cVw',
  'zZjtkEDPQaKGGkOaTf_hJnCu_oxFNNkg',
  `Bearer ${HEX}`,
  'Basic YW5uYTpwYXNz',
  'bearer Kq3',
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
  'remarksToPrintInvoiceForTheVATOffice',
  'NL001234567B01',
  '1700000000',
  '2026-11-28T10:00:00.000Z',
  'organisations',
  'Bakkerij-de-Vries-Winkels',
  'Basic hosting',
  'Basic realm="panel"',
  'Bearer realm="panel", error="invalid_request"',
  '</v1/organisations/5/users?offset=5>; rel="next"',
  'https://panel.example/v1/organisations/5/Users2/7',
];

it.each(SECRETS)('takes %j for a secret, and shows nothing of it', (secret) => {
  expect(looksSecret(secret)).toBe(true);
  expect(JSON.stringify(shownValue({ a: [secret] }))).not.toContain(secret.slice(-10));
  expect(shownText(`see https://x.example/?t=${secret.slice(-40)}`)).not.toContain(HEX.slice(0, 16));
});

it.each(PLAIN)('shows %j', (text) => {
  expect(shownText(text)).toBe(text);
});

const BASE64 = [
  'q83vEjRWeJCrze/8SNFZ4+KvN7xI0V/niQq83vEjRWeI=',
  'Ab3/Cd4xYz/Ef5Gh6/Ij7Kl8/Mn9Op0/Qr1St2/Uv==',
];

it.each([
  ...BASE64.map((secret) => [`it is ${secret} now`, 'it is (masked) now']),
  ['use Bearer hunter-Zwei', 'use Bearer (masked)'],
  ['at https://anna:geheim@panel.example/', 'at https://(masked)@panel.example/'],
  ['to https://panel.example/reset?code=4711&a=b', 'to https://panel.example/reset?code=(masked)&a=b'],
  ['</v1/users?password=geheim>; rel="next"', '</v1/users?password=(masked)>; rel="next"'],
  ['it says {"password": "ge heim", "a": 1}', 'it says {"password": (masked), "a": 1}'],
  ['wrong password: geheim', 'wrong password: (masked)'],
  ['at https://panel.example/reset/kort4711?lang=nl', 'at https://panel.example/reset/(masked)?lang=nl'],
  ['at https://panel.example/#/join/5/7/kort.', 'at https://panel.example/#/join/5/7/(masked)'],
  [
    '<https://panel.example/account/documents/5/7/kort>',
    '<https://panel.example/account/documents/5/7/(masked)>',
  ],
  [
    '{"url": "https:\\/\\/x.example\\/invite\\/kort"}',
    '{"url": "https:\\/\\/x.example\\/invite\\/(masked)"}',
  ],
  [`/login?next=%2Freset%2F${HEX}`, '/login?next=(masked)'],
  [`/login?next=%2F%3Ftoken%3Dkort`, '/login?next=(masked)'],
  [`https://panel.example/é${HEX}`, 'https://panel.example/é(masked)'],
  ['/v1/organisations/5/documents/7', '/v1/organisations/5/documents/7'],
  ['/v1/organisations/5/invitations/7', '/v1/organisations/5/invitations/7'],
  [`${'long '.repeat(500)}`, `${'long '.repeat(40)}… (2500 characters)`],
  [`${'x '.repeat(990)}${HEX.repeat(2)}`, `${'x '.repeat(100)}… (2108 characters)`],
])('shows the text %j without the secrets in it', (text, shown) => {
  expect(shownText(text)).toBe(shown);
});

it('reads long texts in little time', () => {
  const texts = ['a', 'ab/', 'a=', '//', 'a.', '[', 'Basic ', '/reset', '%25', '/reset/a'].map((part) =>
    part.repeat(1_000_000),
  );
  const begin = performance.now();
  for (const text of texts) shownText(`é ${text}`);
  expect(performance.now() - begin).toBeLessThan(3000);
});

it('knows what a value without a telling name is', () => {
  expect(tellingName('value', 'token')).toBe('token');
  expect(tellingName('value', 'setting')).toBe('value');
  expect(tellingName('name', 'apiKey')).toBe('name');
});

it.each([
  'password',
  'hash',
  'hash2fa',
  '2faToken',
  'secret',
  '6digitCode',
  'pwd',
  'pin',
  'twofa',
  'wachtwoord',
  'confirmationCode',
  'cp3Password',
])('shows no value named %s, at any depth', (name) => {
  expect(JSON.stringify(shownValue({ a: { [name]: 'x1' } }))).not.toContain('x1');
  expect(JSON.stringify(shownValue({ [name]: ['x1', { b: 'x2' }] }))).not.toMatch(/x[12]/);
  expect(JSON.stringify(shownValue({ [name]: { b: { c: 'x1' } } }))).not.toContain('x1');
  expect(JSON.stringify(shownValue({ [name]: 123456 }))).not.toContain('123456');
  expect(shownValue('x1', name)).toBe('(masked, 2 characters)');
});

it('shows of texts how long they are where nobody asked for them', () => {
  expect(shownValue('Anna', 'firstName', false)).toBe('(text, 4 characters)');
  expect(shownValue('5', '', false)).toBe('(text, 1 character)');
  expect(shownValue('', '', false)).toBe('');
  expect(shownValue({ a: ['Anna', 5, null] }, '', false)).toEqual({ a: ['(text, 4 characters)', 5, null] });
  expect(shownOrder([{ name: 'Anna' }, { id: 5 }], false)).toEqual(['(text, 4 characters)', 5]);
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
  ['/v1//registerInvitation/short/', '/registerInvitation/{token}', '/v1//registerInvitation/{masked}/'],
  [`/downloadpdf/5/7/${HEX}?x=1`, '/downloadpdf/{id}/{contactId}/{hash}', '/downloadpdf/5/7/{masked}?x=1'],
  ['/users?token=x&limit=2', '/users', '/users?token={masked}&limit=2'],
  [`/users?q=${HEX}&filter=Anna`, '/users', '/users?q={masked}&filter=Anna'],
  [`/users?${HEX}=1`, '/users', '/users?{masked}=1'],
  [`/users?a=${BASE64[0]}&${HEX}`, '/users', '/users?a={masked}&{masked}'],
  ['/users?user[otp]=1&code[]=2', '/users', '/users?user[otp]={masked}&code[]={masked}'],
  ['/users?u=https://anna:geheim@x/&q=password%3Dgeheim', '/users', '/users?u={masked}&q={masked}'],
  [`/jobs/${HEX}`, '/jobs/{…}', '/jobs/{masked}'],
  [
    '/organisations/5/users?limit=2',
    '/organisations/{organisationId}/users',
    '/organisations/5/users?limit=2',
  ],
])('shows the path %s as %s allows', (path, template, shown) => {
  expect(shownPath(path, template)).toBe(shown);
});
