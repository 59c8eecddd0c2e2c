import { composed, composedValue, decomposed } from './composed-text';

it.each([
  ['Cafe\u0301', 'Caf\u00e9'],
  ['Caf\u00e9', 'Caf\u00e9'],
  // Vietnamese, with its marks in either order.
  ['o\u0302\u0323', '\u1ed9'],
  ['o\u0323\u0302', '\u1ed9'],
  ['\u1112\u1161\u11ab\u1100\u1173\u11af', '\ud55c\uae00'],
  // The sign of the unit is the letter.
  ['\u212b', '\u00c5'],
  ['\u2126', '\u03a9'],
  // Letters of compatibility stay: they are others.
  ['\ufb01 \u2460 \uff21', '\ufb01 \u2460 \uff21'],
  // Joiners within words stay too.
  ['\u0646\u200c\u0647', '\u0646\u200c\u0647'],
  ['\ud800 broken', '\ud800 broken'],
  ['', ''],
])('%j is composed as %j', (sent, text) => expect(composed(sent)).toBe(text));

it('decomposes what is composed', () => expect(decomposed('Caf\u00e9 \u212b')).toBe('Cafe\u0301 A\u030a'));

it('composes the texts and names within lists and objects', () => {
  const sent = { 'cle\u0301': ['e\u0301', { nom: 'Zoe\u0308' }, 7, null, true] };
  expect(composedValue(sent)).toEqual({ 'cl\u00e9': ['\u00e9', { nom: 'Zo\u00eb' }, 7, null, true] });
});

it('lets no client name the prototype', () => {
  const sent: unknown = JSON.parse('{"__proto__": {"e\u0301": 1}}');
  const read = composedValue(sent) as object;
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  expect(JSON.stringify(read)).toBe('{"__proto__":{"\u00e9":1}}');
});

it.each([
  ['marks in falling order', '\u0315\u0300'.repeat(25_000)],
  ['marks of two kinds', '\u0315'.repeat(25_000) + '\u0300'.repeat(25_000)],
  ['marks after a letter', `a${'\u0315\u0300'.repeat(25_000)}`],
])('a body of %s costs milliseconds', (_what, text) => {
  const started = performance.now();
  composed(text);
  decomposed(text);
  expect(performance.now() - started).toBeLessThan(250);
});
