// Only the English table: the entry point of the package loads the names in all languages.
import english from 'i18n-iso-countries/langs/en.json';

export interface Country {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly id: string;
  /** English name. */
  readonly name: string;
}

/** In the package's table, but a code for users to assign (Kosovo): ISO 3166-1 does not list it. */
const NOT_IN_ISO_3166 = new Set(['XK']);

const COUNTRIES: ReadonlyMap<string, Country> = new Map(
  Object.entries(english.countries)
    .filter(([id]) => !NOT_IN_ISO_3166.has(id))
    .map(([id, names]) => [id, { id, name: typeof names === 'string' ? names : (names[0] ?? id) }]),
);

/** The country of an ISO 3166-1 alpha-2 code in any case; undefined when there is none. */
export function countryById(code: string): Country | undefined {
  // Only ASCII pairs: toUpperCase makes two letters of some single ones (ß becomes SS).
  return /^[a-z]{2}$/i.test(code) ? COUNTRIES.get(code.toUpperCase()) : undefined;
}

/** Every country, in no particular order. */
export const allCountries = (): readonly Country[] => [...COUNTRIES.values()];
