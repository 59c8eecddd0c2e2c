// Imports only the English table, because the entry point of the package loads the names in all languages.
import english from 'i18n-iso-countries/langs/en.json';

export interface Country {
  /** ISO 3166-1 alpha-2, upper case, or `XK`. */
  readonly id: string;
  /** English name. */
  readonly name: string;
}

/**
 * The table has `XK` too: ISO leaves it to its users, and banks and the EU use it for
 * Kosovo (rule requests 35).
 */
const COUNTRIES: ReadonlyMap<string, Country> = new Map(
  Object.entries(english.countries).map(([id, names]) => [
    id,
    { id, name: typeof names === 'string' ? names : (names[0] ?? id) },
  ]),
);

/** The codes of the EU where it has others than ISO: forms and tax numbers hold them. */
const OTHER_CODES: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' };

/** The country of an ISO 3166-1 alpha-2 code in any case. */
export function countryById(code: string): Country | undefined {
  // Only ASCII pairs, because toUpperCase turns some single letters into two (ß becomes SS).
  return /^[a-z]{2}$/i.test(code) ? COUNTRIES.get(code.toUpperCase()) : undefined;
}

/**
 * The code of a country as people and other systems write it; undefined for blanks, and
 * as it was sent for no code.
 */
export function countryCodeIn(text: string): string | undefined {
  const code = text.trim();
  if (code === '') return undefined;
  if (!/^[a-z]{2}$/i.test(code)) return code;
  const upper = code.toUpperCase();
  return OTHER_CODES[upper] ?? upper;
}

/** The names in each language. Other responses use the English ones. */
const NAMES = {
  en: undefined,
  nl: new Intl.DisplayNames('nl', { type: 'region' }),
  fr: new Intl.DisplayNames('fr', { type: 'region' }),
} as const;

type NamedLanguage = keyof typeof NAMES;

/** Every country with its name, in alphabetical order of the language. */
function countriesIn(language: NamedLanguage): readonly Country[] {
  const collator = new Intl.Collator(language);
  return [...COUNTRIES.values()]
    .map(({ id, name }) => ({ id, name: NAMES[language]?.of(id) ?? name }))
    .sort((one, other) => collator.compare(one.name, other.name) || (one.id < other.id ? -1 : 1));
}

export const COUNTRIES_BY_LANGUAGE: Readonly<Record<NamedLanguage, readonly Country[]>> = {
  nl: countriesIn('nl'),
  en: countriesIn('en'),
  fr: countriesIn('fr'),
};
