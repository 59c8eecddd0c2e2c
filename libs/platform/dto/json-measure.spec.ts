import { measureOfJson } from './json-measure';

const measureOf = (text: string) => measureOfJson(Buffer.from(text));

it.each([
  ['1', 0, 0],
  ['"a"', 0, 0],
  ['{}', 1, 1],
  ['{"a":1,"b":2}', 1, 2],
  ['{"a":[1,2,{"b":{}}]}', 4, 6],
  ['[[],[],[]]', 2, 6],
])('%s is %d deep and has %d objects, arrays and commas', (text, depth, values) => {
  expect(measureOf(text)).toEqual({ depth, values });
});

it.each([
  ['brackets and commas in a text', JSON.stringify({ a: '[{,' })],
  ['an escaped quotation mark', JSON.stringify({ a: 'x",{[' })],
  ['a backslash at the end of a text', JSON.stringify({ a: '\\' })],
  ['the name of a member', JSON.stringify({ '[,"{': 1 })],
])('does not count %s', (_, text) => {
  expect(measureOf(text)).toEqual({ depth: 1, values: 1 });
});

it('measures what is no JSON', () => {
  for (const text of ['', '"', '"\\', '}}]', '{"a', '[[[']) expect(() => measureOf(text)).not.toThrow();
});
