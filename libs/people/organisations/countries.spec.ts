import { countryById } from './countries';

it.each([
  ['NL', 'Netherlands'],
  ['BE', 'Belgium'],
  ['FR', 'France'],
  ['GB', 'United Kingdom'],
  ['US', 'United States of America'],
  ['CI', "Cote d'Ivoire"],
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
  'XK',
  'AN',
  ' NL',
  'NL\n',
  'ß',
  '__proto__',
  'constructor',
])('%j is no country', (code) => {
  expect(countryById(code)).toBeUndefined();
});

it('knows the 249 codes of ISO 3166-1, each with a name', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const known = letters
    .flatMap((first) => letters.map((second) => countryById(first + second)))
    .filter(Boolean);
  expect(known).toHaveLength(249);
  expect(known.every((country) => /^\p{Lu}.{3,}$/u.test(country!.name))).toBe(true);
});
