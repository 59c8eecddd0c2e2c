import { coerceBoolean, coerceDigits, coerceInteger, coerceText } from './coercion';

it.each([
  [1012, '1012'],
  [-1.5, '-1.5'],
  [0, '0'],
  [-0, '0'],
  [0.1, '0.1'],
  [1e3, '1000'],
  [1e15, '1000000000000000'],
  [9_007_199_254_740_991, '9007199254740991'],
  [-9_007_199_254_740_991, '-9007199254740991'],
  [0.123456789012345, '0.123456789012345'],
  [-123.5e-3, '-0.1235'],
  [1e-7, '0.0000001'],
  [-1.25e-9, '-0.00000000125'],
  [1.23e-13, '0.000000000000123'],
  [9e-15, '0.000000000000009'],
  ['already', 'already'],
  ['1e21', '1e21'],
])('text: %j becomes %j', (value, text) => {
  expect(coerceText(value)).toBe(text);
});

it.each([
  [9_007_199_254_740_992],
  [-9_007_199_254_740_992],
  [1e21],
  [-1e300],
  [0.1 + 0.2],
  [0.1234567890123456],
  [1.5e-15],
  [1e-16],
  [Number.MIN_VALUE],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [true],
  [null],
  [['a']],
  [{ a: 1 }],
])('text: %j stays, for validation to refuse', (value) => {
  expect(coerceText(value)).toBe(value);
});

it.each([
  [23220, '023220'],
  [0, '000000'],
  [-0, '000000'],
  [123456, '123456'],
  [1234567, '1234567'],
  [-1, '-1'],
  [1.5, '1.5'],
  ['23220', '23220'],
  ['', ''],
  [true, true],
  [1e21, 1e21],
])('a code of six digits: %j becomes %j', (value, code) => {
  expect(coerceDigits(6)(value)).toBe(code);
});

it.each([
  ['7', 7],
  [' 7\t', 7],
  ['-7', -7],
  ['007', 7],
  ['999999999999999', 999_999_999_999_999],
  [7, 7],
  [7.5, 7.5],
])('integer: %j becomes %j', (value, integer) => {
  expect(coerceInteger(value)).toBe(integer);
});

it.each(['', ' ', '-', '--1', '+1', '1.0', '1e3', '0x1', '1 2', 'x1', '1x', '1000000000000000'])(
  'integer: %j stays text',
  (text) => {
    expect(coerceInteger(text)).toBe(text);
  },
);

it.each([
  ['true', true],
  ['TRUE', true],
  [' True ', true],
  ['1', true],
  [1, true],
  [true, true],
  ['false', false],
  ['False', false],
  ['0', false],
  [0, false],
  [false, false],
])('boolean: %j becomes %j', (value, boolean) => {
  expect(coerceBoolean(value)).toBe(boolean);
});

it.each(['yes', 'on', '', '2', '01'])('boolean: %j stays', (text) => {
  expect(coerceBoolean(text)).toBe(text);
});

it.each([2, -1, 0.5])('boolean: %j stays', (number) => {
  expect(coerceBoolean(number)).toBe(number);
});
