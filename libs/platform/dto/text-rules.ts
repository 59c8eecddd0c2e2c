import { type FieldError, fieldError, ValidationFailed } from '../errors/api-error';

/** The items of a comma-separated field: trimmed, without empty ones and duplicates, in order. */
export function parseCsvList(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  return [...new Set(items)].filter((item) => item !== '');
}

/**
 * Control characters, line and paragraph separators, and characters that override or isolate the direction of
 * text (rule requests 27). Another check refuses NUL.
 */
const NOT_IN_A_NAME = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/**
 * A character that shows. U+2800 is a Braille pattern without dots, which no property tells from the others.
 */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u;

/**
 * Whether nobody sees anything of the text, be it empty or of characters without width (rule requests 29).
 */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);

/** A required field is absent, null or blank. */
export const REQUIRED = fieldError('REQUIRED', 'This value should not be blank.');

/** A rule for a text, with the error of a text that breaks it. */
export interface TextRule {
  /** The name of the check in class-validator, such as `isPlainWords`. */
  readonly name: string;
  readonly holds: (text: string) => boolean;
  readonly error: FieldError;
}

/** The error of the first rule that the text breaks. */
export const brokenRule = (rules: readonly TextRule[], text: string): FieldError | undefined =>
  rules.find(({ holds }) => !holds(text))?.error;

/** The rules for words by which a record is known, which may be left out. */
export const WORDS_RULES: readonly TextRule[] = [
  {
    name: 'isPlainWords',
    holds: (text) => !NOT_IN_A_NAME.test(text.replaceAll('\0', '')),
    error: fieldError(
      'FORBIDDEN_CHARACTER',
      'A name should not hold control characters, line breaks or characters that change the direction of text.',
    ),
  },
];

/**
 * The rules for the name of a record. Mails contain names in their text: a line break would
 * begin a new paragraph, and another direction would change the text. A name that nobody sees
 * would be a row without a handle.
 */
export const NAME_RULES: readonly TextRule[] = [
  { name: 'isVisible', holds: (name) => !isBlank(name) || name.includes('\0'), error: REQUIRED },
  ...WORDS_RULES,
];

/**
 * Throws for a new name that is not valid. Accepts the stored name, because clients
 * send it with every change.
 */
export async function assertNameFits(
  name: string | undefined,
  stored: () => Promise<string | undefined>,
  field = 'name',
): Promise<void> {
  const found = name === undefined ? undefined : brokenRule(NAME_RULES, name);
  if (found !== undefined && name !== (await stored())) throw ValidationFailed.on(field, found);
}
