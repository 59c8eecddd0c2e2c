/**
 * More combining marks in a row than any writing has; UAX #15 counts 30 as the most
 * (section 13, "Stream-Safe Text").
 */
const TOO_MANY_MARKS = /\p{M}{65}/u;

/** A text with as many marks in pieces with fewer of them. */
const PIECES = /\P{M}*\p{M}{1,64}|\P{M}+/gu;

type Form = 'NFC' | 'NFD';

/**
 * The time that ICU takes grows with the square of the marks in a row: three seconds for a body of nothing
 * else. Such a text is not writing. It is brought into the form piece by piece, which takes milliseconds.
 */
const inForm = (text: string, form: Form): string =>
  TOO_MANY_MARKS.test(text)
    ? text.replaceAll(PIECES, (piece) => piece.normalize(form))
    : text.normalize(form);

/** The text in Unicode's composed form, in which all text is stored and compared (rule requests 22). */
export const composed = (text: string): string => inForm(text, 'NFC');

/** The text in Unicode's decomposed form. Only old password hashes may be of it. */
export const decomposed = (text: string): string => inForm(text, 'NFD');

/** A value of JSON with all its texts composed, names of members too. */
export function composedValue(value: unknown): unknown {
  if (typeof value === 'string') return composed(value);
  if (Array.isArray(value)) return value.map(composedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [composed(name), composedValue(member)]),
  );
}
