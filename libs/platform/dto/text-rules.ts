import { type FieldError, fieldError, ValidationFailed } from '../errors/api-error';

/** The items of a comma-separated field: trimmed, without empty ones and duplicates, in order. */
export function parseCsvList(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  return [...new Set(items)].filter((item) => item !== '');
}

/**
 * Control characters, line and paragraph separators, and characters that override or isolate the direction of
 * text (rule requests 24). Another check refuses NUL.
 */
const NOT_IN_A_NAME = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/**
 * A character that shows. U+2800 is a Braille pattern without dots, which no property tells from the others.
 */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u;

/**
 * Whether nobody sees anything of the text, be it empty or of characters without width (rule requests 26).
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

/** RFC 5321 section 4.5.3.1, with the erratum that leaves 254 characters for the address. */
export const EMAIL_MAX_LENGTH = 254;
const LOCAL_PART_MAX_LENGTH = 64;

/** Dot-atom of RFC 5322: without quotes and comments, and without a dot at an end or doubled dots. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
/** Letters, or the ASCII form of an internationalised name, so that 10.0.0.1 is not a domain. */
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/i;

/**
 * Whether the text is a plain e-mail address, safe in a header and an SMTP command. Nothing is trimmed.
 *
 * Only ASCII: an internationalised domain has its `xn--` form. Otherwise one mailbox would
 * have two spellings, and a unique name could be taken twice. JavaScript and PostgreSQL
 * lower-case ASCII in the same way.
 */
export function isPlainEmailAddress(text: string): boolean {
  if (text.length > EMAIL_MAX_LENGTH) return false;
  const at = text.lastIndexOf('@');
  const localPart = text.slice(0, Math.max(at, 0));
  if (localPart.length > LOCAL_PART_MAX_LENGTH || !LOCAL_PART.test(localPart)) return false;
  const labels = text.slice(at + 1).split('.');
  return (
    labels.length >= 2 && labels.every((label) => LABEL.test(label)) && TOP_LABEL.test(labels.at(-1) ?? '')
  );
}

/** The name, if it is an e-mail address; otherwise empty. */
export const emailOf = (name: string): string => (name.includes('@') ? name : '');
