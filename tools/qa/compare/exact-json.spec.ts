import { canonical, ExactNumber, parseExactly } from './exact-json';

it.each([
  ['1.50', new ExactNumber('1.50')],
  ['1.0', new ExactNumber('1.0')],
  ['1e3', new ExactNumber('1e3')],
  ['12345678901234567891', new ExactNumber('12345678901234567891')],
  ['-0', new ExactNumber('-0')],
  ['1.5', 1.5],
  ['-12', -12],
])('keeps the number %s as it was written', (text, value) => {
  expect(parseExactly(`{"a":[${text}]}`)).toEqual({ value: { a: [value] } });
});

it('takes no number out of a text', () => {
  expect(parseExactly('{"a":"1.50 \\"2.0\\"","1.0":"\\\\"}')).toEqual({
    value: { a: '1.50 "2.0"', '1.0': '\\' },
  });
});

it.each(['', '{', '{"a":01}', '<html>', '{"a":1.50', 'NaN'])('does not take %j for JSON', (text) => {
  expect(parseExactly(text)).toBeUndefined();
});

it('takes what is nested endlessly, or has texts of megabytes', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
  expect(parseExactly(nested(100))).toBeDefined();
  expect(parseExactly(nested(101))).toBeUndefined();
  expect(parseExactly(nested(100_000))).toBeUndefined();
  const value = parseExactly(`["${'x'.repeat(8_000_000)}",1.0]`)?.value as readonly [string, ExactNumber];
  expect(value[0]).toHaveLength(8_000_000);
  expect(value[1]).toEqual(new ExactNumber('1.0'));
});

it('writes equal values equally', () => {
  const texts = ['{"a":[1.0,{"c":1,"b":null}],"d":"x"}', '{"d":"x","a":[1.0,{"b":null,"c":1}]}'];
  const [one, other] = texts.map((text) => canonical(parseExactly(text)?.value ?? null));
  expect(one).toBe('{"a":[1.0,{"b":null,"c":1}],"d":"x"}');
  expect(other).toBe(one);
});
