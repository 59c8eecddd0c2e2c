import { typedCode } from './typed-code';

it.each([
  ['123456', '123456'],
  ['123 456', '123456'],
  ['123-456', '123456'],
  [' 12 34 56\t', '123456'],
  ['123\u00a0456', '123456'],
  ['123\u202f456', '123456'],
  ['123\u2011456', '123456'],
  ['123\u2013456', '123456'],
  ['123\u00ad456', '123456'],
  ['١٢٣٤٥٦', '123456'],
  ['۰۱۲۳۴۵', '012345'],
  ['१२३ ४५६', '123456'],
  ['７８９０１２', '789012'],
  ['𝟎𝟗𝟘𝟡𝟬𝟿', '090909'],
  ['7k3xp-q0w9d', '7k3xpq0w9d'],
  ['   ', ''],
  ['', ''],
  // Neither digits with a place value nor blanks or hyphens.
  ['12345⁶', '12345⁶'],
  ['12345六', '12345六'],
  ['123_456', '123_456'],
  ['123.456', '123.456'],
])('%j is compared as %j', (text, compared) => {
  expect(typedCode(text)).toBe(compared);
});

it('takes every decimal digit of Unicode for its value', () => {
  const values = new Map<string, number>();
  for (let point = 0; point <= 0x10ffff; point++) {
    const digit = String.fromCodePoint(point);
    if (/\p{Nd}/u.test(digit)) values.set(digit, Number(typedCode(digit)));
  }
  // Unicode has ten digits of every script.
  expect(values.size % 10).toBe(0);
  for (let value = 0; value < 10; value++)
    expect([...values.values()].filter((found) => found === value)).toHaveLength(values.size / 10);
});

it('leaves texts alone that are too long for a code', () => {
  const long = '1 '.repeat(50_000);
  expect(typedCode(long)).toBe(long);
});
