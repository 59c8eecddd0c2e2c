import { emailOf, isPlainEmailAddress } from '@app/formats/email-address';

const label63 = 'd'.repeat(63);
/** 64 + 1 + 189 characters. */
const longest = `${'l'.repeat(64)}@${label63}.${label63}.${'d'.repeat(58)}.nl`;

it('the longest example has 254 characters', () => expect(longest).toHaveLength(254));

it.each([
  'a@b.example',
  'Ann.Bee+list@Sub.Example.COM',
  "o'brien!#$%&*/=?^_`{|}~-@x-1.example",
  '1@1.nl',
  'ann@xn--bcher-kva.example',
  'ann@example.xn--p1ai',
  longest,
])('accepts %s', (text) => expect(isPlainEmailAddress(text)).toBe(true));

it.each([
  '',
  '@',
  'ann',
  '@b.example',
  'ann@',
  'ann@localhost',
  'ann@b.example.',
  'ann@.example',
  'ann@b..example',
  'ann@-b.example',
  'ann@b-.example',
  'ann@b_c.example',
  'ann@b.e',
  'ann@b.123',
  'ann@10.0.0.1',
  'ann@[10.0.0.1]',
  'ann@[IPv6:::1]',
  '.ann@b.example',
  'ann.@b.example',
  'a..n@b.example',
  'a n@b.example',
  'a@n@b.example',
  '"ann"@b.example',
  '"evil@x y"@victim.example',
  'ann(comment)@b.example',
  'ann@b.example(comment)',
  'Ann <ann@b.example>',
  'ann@b.example, bob@b.example',
  ' ann@b.example',
  'ann@b.example ',
  'ann@b.example\n',
  'ann@b.example\r\nBcc: bob@b.example',
  'ann\0@b.example',
  'zoë@b.example',
  'ann@bücher.example',
  // Kelvin sign: lowers to "k" in JavaScript.
  'ann@\u212A.example',
  `${'l'.repeat(65)}@b.example`,
  `ann@${'d'.repeat(64)}.example`,
  longest.replace('.nl', 'd.nl'),
])('refuses %j', (text) => expect(isPlainEmailAddress(text)).toBe(false));

it('decides on long hostile texts at once', () => {
  const started = performance.now();
  for (const text of ['a.'.repeat(1e6), `a@${'a-'.repeat(1e6)}`, `a@${'-'.repeat(252)}`])
    isPlainEmailAddress(text);
  expect(performance.now() - started).toBeLessThan(1_000);
});

it('is the user name, unless that is a login name', () => {
  expect(emailOf('jan@example.nl')).toBe('jan@example.nl');
  expect(emailOf('jan')).toBe('');
});
