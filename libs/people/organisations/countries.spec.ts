import { countryById, countryCodeIn } from './countries';

it.each([
  ['NL', 'Netherlands'],
  ['BE', 'Belgium'],
  ['FR', 'France'],
  ['GB', 'United Kingdom'],
  ['US', 'United States of America'],
  ['CI', "Cote d'Ivoire"],
  ['XK', 'Kosovo'],
])('%s is %s', (id, name) => {
  expect(countryById(id)).toEqual({ id, name });
  expect(countryById(id.toLowerCase())).toEqual({ id, name });
});

it.each([
  '',
  'N',
  'NLD',
  '528',
  'ZZ',
  'XX',
  'UK',
  'EU',
  'AN',
  ' NL',
  'NL\n',
  'ß',
  '__proto__',
  'constructor',
])('%j is no country', (code) => {
  expect(countryById(code)).toBeUndefined();
});

it('knows the 249 codes of ISO 3166-1 and XK, each with a name', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const known = letters
    .flatMap((first) => letters.map((second) => countryById(first + second)))
    .filter(Boolean);
  expect(known).toHaveLength(250);
  expect(known.every((country) => /^\p{Lu}.{3,}$/u.test(country!.name))).toBe(true);
});

it.each([
  ['NL', 'NL'],
  ['be', 'BE'],
  [' be ', 'BE'],
  ['\u00a0Be\t', 'BE'],
  ['xk', 'XK'],
  ['UK', 'GB'],
  ['uk', 'GB'],
  ['EL', 'GR'],
  [' el', 'GR'],
  ['', undefined],
  [' \u00a0 ', undefined],
  // No codes of countries, for validation to refuse.
  ['zz', 'ZZ'],
  [' NLD ', 'NLD'],
  ['N L', 'N L'],
  ['\u00df', '\u00df'],
])('%j is read as %j', (sent, code) => expect(countryCodeIn(sent)).toBe(code));
