import { holdsExactNumbers, holdsStorableText } from './free-json';

// rule requests 21
describe('numbers of free JSON', () => {
  it.each([
    '9007199254740991',
    '-9007199254740991',
    '0.1',
    '{"a":[1,null,"9007199254740993"]}',
    'null',
    '[]',
  ])('are kept in %s', (json) => {
    expect(holdsExactNumbers(JSON.parse(json))).toBe(true);
  });

  it.each(['9007199254740993', '-9007199254740992', '1e400', '{"a":[{"b":12345678901234567890}]}'])(
    'are lost in %s',
    (json) => {
      expect(holdsExactNumbers(JSON.parse(json))).toBe(false);
    },
  );
});

it.each([
  ['{"a":["b"]}', true],
  ['{"a":["\\u0000"]}', false],
  ['{"\\ud800":1}', false],
])('tells whether texts and names of %s can be stored', (json, isStorable) => {
  expect(holdsStorableText(JSON.parse(json))).toBe(isStorable);
});
