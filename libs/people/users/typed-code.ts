/** Longer texts are no codes, and are compared as they are. */
const MAX_LENGTH = 100;

/** Blanks, hyphens of any kind and the soft hyphen: authenticators show `123 456`. */
const GROUPING = /[\s\p{Pd}\u00ad]/gu;

const DIGIT = /\p{Nd}/u;
const FOREIGN_DIGITS = /(?![0-9])\p{Nd}/gu;

/**
 * A code as it is compared: without blanks and hyphens, and with the ASCII digits of those of other
 * scripts (rule login 56, rule login 57).
 */
export function typedCode(text: string): string {
  if (text.length > MAX_LENGTH) return text;
  return text.replaceAll(GROUPING, '').replaceAll(FOREIGN_DIGITS, asciiDigit);
}

/** Unicode has the decimal digits of a script one after another, from 0 to 9. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let start = point;
  while (DIGIT.test(String.fromCodePoint(start - 1))) start--;
  return String((point - start) % 10);
}
