import { coerceBoolean, coerceInteger, coerceText } from './field.decorators';

it.each([
  [1012, '1012'],
  [-1.5, '-1.5'],
  [0, '0'],
  [-0, '0'],
  ['already', 'already'],
])('text: %j becomes %j', (value, text) => {
  expect(coerceText(value)).toBe(text);
});

it.each([[1e21], [1e-7], [Number.NaN], [Number.POSITIVE_INFINITY], [true], [null], [['a']], [{ a: 1 }]])(
  'text: %j stays, for validation to refuse',
  (value) => {
    expect(coerceText(value)).toBe(value);
  },
);

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
