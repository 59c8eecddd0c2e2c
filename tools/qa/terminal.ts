/** Control and direction characters: a server could rewrite with them what a terminal shows. */
const UNPRINTABLE = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu;

/** Lines that may hold what a server sent, for a terminal. */
export const printable = (text: string): string => text.replaceAll(UNPRINTABLE, '?');

/** Empties the last line of a terminal, where progress is shown; elsewhere each text has its own line. */
export const CLEAR_LINE = process.stderr.isTTY ? '\r\u001b[K' : '';

/** Without the advice that Node adds about words that begin with a dash. */
export const firstSentence = (text: string): string => `${text.split('. ')[0]?.replace(/\.$/, '')}.`;

const UNIT_DIGITS = 4;

/** JSON for a terminal or a file; characters that a terminal would obey are escaped. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(UNPRINTABLE, (character) =>
    character
      .split('')
      .map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(UNIT_DIGITS, '0')}`)
      .join(''),
  );
