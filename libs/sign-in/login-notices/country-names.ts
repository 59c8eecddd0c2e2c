import type { Language } from '@app/people/users/user.types';

/** The name of a country in a language; empty for an empty code. */
export const countryIn = (language: Language, code: string): string =>
  code === '' ? '' : (new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? '');
