import { allCountries, type Country } from './countries';

/** How the names of countries are found in each language. In English they are those of all other answers. */
const NAMES = {
  en: undefined,
  nl: new Intl.DisplayNames('nl', { type: 'region' }),
  fr: new Intl.DisplayNames('fr', { type: 'region' }),
} as const;

type NamedLanguage = keyof typeof NAMES;

/** Every country of ISO 3166-1 with its name in a language, in the order of that language's alphabet. */
function countriesIn(language: NamedLanguage): readonly Country[] {
  const collator = new Intl.Collator(language);
  return allCountries()
    .map(({ id, name }) => ({ id, name: NAMES[language]?.of(id) ?? name }))
    .sort((one, other) => collator.compare(one.name, other.name) || (one.id < other.id ? -1 : 1));
}

export const COUNTRIES_BY_LANGUAGE: Readonly<Record<NamedLanguage, readonly Country[]>> = {
  nl: countriesIn('nl'),
  en: countriesIn('en'),
  fr: countriesIn('fr'),
};
