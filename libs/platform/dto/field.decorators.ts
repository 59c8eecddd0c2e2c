import { applyDecorators } from '@nestjs/common';
import { maxLength, ValidateBy } from 'class-validator';
import { type CheckResult, errorsIn, type FieldError, fieldError } from '../errors/api-error';
import { Documented, type FieldDescription, fieldRegister } from './described-fields';

/**
 * The type coercion on which old clients rely (decisions.md section 1): numbers for text, text for numbers
 * and booleans. Other values are not changed, and validation refuses them.
 */

/** Most digits after the point of a number that counts as text (decisions.md 15.9). */
const MOST_DECIMALS = 15;

/**
 * A number becomes its decimal text, unless it has more digits than a double keeps:
 * another number would be stored.
 */
export function coerceText(value: unknown): unknown {
  if (typeof value !== 'number' || !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return value;
  const [, digits = '', exponent = '0'] = /^-?\d+\.?(\d*)(?:e-(\d+))?$/.exec(String(value)) ?? [];
  const decimals = digits.length + Number(exponent);
  if (decimals > MOST_DECIMALS) return value;
  // JavaScript writes small numbers with an exponent.
  return exponent === '0' ? String(value) : value.toFixed(decimals);
}

/**
 * A JSON number has lost the zeros before a code of that many digits: 23220 is `023220` (decisions.md 15.2).
 */
export const coerceDigits =
  (digits: number) =>
  (value: unknown): unknown =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0
      ? padded(coerceText(value), digits)
      : coerceText(value);

const padded = (value: unknown, digits: number): unknown =>
  typeof value === 'string' ? value.padStart(digits, '0') : value;

/** Decimal text of at most 15 digits, which a double represents exactly, becomes the integer. */
export function coerceInteger(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  return /^-?\d{1,15}$/.test(text) ? Number(text) : value;
}

const BOOLEANS = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  [1, true],
  ['false', false],
  ['0', false],
  [0, false],
]);

/** `true`, `false`, `1`, `0` in any case, as text or number. */
export function coerceBoolean(value: unknown): unknown {
  return BOOLEANS.get(typeof value === 'string' ? value.trim().toLowerCase() : value) ?? value;
}

/** The largest identifier and integer on the wire (32 bits, decisions.md section 2). */
export const MAX_INTEGER = 2_147_483_647;

/** How a field of a request body is read before its value is validated. */
export interface FieldRule {
  /** Refuses absent, null and, unless the field keeps empty text, `""`. */
  readonly required: boolean;
  /** On PUT and PATCH, null clears the field instead of being refused. */
  readonly nullable: boolean;
  readonly emptyIsAbsent: boolean;
  readonly zeroIsAbsent: boolean;
  readonly coerce: (value: unknown) => unknown;
  /** The errors of a value. */
  readonly faultsOf: (value: unknown) => readonly FieldError[];
}

export interface FieldOptions {
  required?: boolean;
  nullable?: boolean;
  description?: string;
  /**
   * The number 0 counts as absent, but the text `0` does not: clients send 0 for no address
   * (decisions.md section 11).
   */
  zeroIsAbsent?: boolean;
  example?: unknown;
  default?: unknown;
}

const RULES = fieldRegister<FieldRule>();

/** The fields that a DTO class declares or inherits, with their rules. A body can have no others. */
export const fieldRules = RULES.of;

/**
 * The basis of all field decorators: the rule, the coercion of decisions.md, the check, which returns the
 * errors of a value, and the entry in the interface description.
 */
export function field(
  options: FieldOptions,
  emptyIsAbsent: boolean,
  coerce: (value: unknown) => unknown,
  documentation: FieldDescription,
  check: (value: unknown) => CheckResult = () => undefined,
): PropertyDecorator {
  const { required = false, nullable = false, zeroIsAbsent = false, description, example } = options;
  const faultsOf = (value: unknown) => errorsIn(check(value));
  const validate = (value: unknown) => faultsOf(value).length === 0;
  return applyDecorators(
    RULES.declare({ required, nullable, emptyIsAbsent, zeroIsAbsent, coerce, faultsOf }),
    ValidateBy({ name: 'satisfies', validator: { validate } }),
    Documented({
      ...documentation,
      required,
      ...(nullable && { nullable }),
      ...(description !== undefined && { description }),
      ...(example !== undefined && { example }),
      ...(options.default !== undefined && { default: options.default }),
    }),
  );
}

/** Text that PostgreSQL can store: without NUL and unpaired surrogates. */
export const isStorableText = (value: unknown): boolean =>
  typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed());

export const NOT_STORABLE = fieldError(
  'NOT_STORABLE',
  'This value contains a character that cannot be stored.',
);

const unless = (isFine: boolean, error: FieldError): readonly FieldError[] => (isFine ? [] : [error]);

interface TextOptions extends FieldOptions {
  /** Maximum length of the text, the width of the column. */
  max: number;
  /** `""` counts as absent instead of being stored. */
  emptyIsAbsent?: boolean;
  trim?: boolean;
  /** The text is a code of so many digits. Zeros are put before a JSON number. */
  digits?: number;
  /** Reads the text before it is checked. Undefined: it counts as absent. */
  read?: (text: string) => string | undefined;
  /** A further check of the text. Returns its errors. */
  check?: (text: string) => CheckResult;
  format?: string;
  /** The lengths in the interface description, if `check` is narrower than `max`. */
  described?: { readonly minLength: number; readonly maxLength: number };
}

export const tooLong = (max: number): FieldError =>
  fieldError('TOO_LONG', `This value is too long. It should have ${max} characters or less.`);

const isOneOf = (choices: readonly unknown[]) => {
  const found = fieldError('NOT_A_CHOICE', `This value should be one of ${choices.join(', ')}.`);
  return (value: unknown): CheckResult => (choices.includes(value) ? undefined : found);
};

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

/** The coercion of a text field: that of every text, then what its options add. */
function textReader({ digits, trim = false, read = (text) => text }: TextOptions) {
  const coerce = digits === undefined ? coerceText : coerceDigits(digits);
  return (value: unknown): unknown => {
    const text = trim ? trimmed(coerce(value)) : coerce(value);
    return typeof text === 'string' ? read(text) : text;
  };
}

export function TextField(options: TextOptions): PropertyDecorator {
  const { max, check, format, described = { maxLength: max } } = options;
  return field(
    options,
    options.emptyIsAbsent ?? false,
    textReader(options),
    { type: 'string', ...described, ...(format !== undefined && { format }) },
    (value) => {
      if (typeof value !== 'string') return fieldError('WRONG_TYPE', 'This value should be a string.');
      // The check of a text of 100 kB could cost as much as a hundred requests.
      if (!maxLength(value, max)) return tooLong(max);
      return [...unless(isStorableText(value), NOT_STORABLE), ...errorsIn(check?.(value))];
    },
  );
}

/** A field that accepts only the words of a list. */
export function WordField(options: FieldOptions & { words: readonly string[] }): PropertyDecorator {
  const { words } = options;
  const documentation = { type: 'string', enum: [...words] } as const;
  return field(options, true, coerceText, documentation, isOneOf(words));
}

/** A list of at least one word. `faultOf` returns the error of a word. */
export function WordListField(
  options: FieldOptions & { of: string; most: number; faultOf: (word: string) => FieldError | undefined },
): PropertyDecorator {
  const { of, most, faultOf } = options;
  const validate = (value: unknown): CheckResult => {
    if (!Array.isArray(value)) return fieldError('WRONG_TYPE', `This value should be an array of ${of}s.`);
    if (value.length === 0) return fieldError('TOO_SHORT', `This value should have 1 ${of} or more.`);
    if (value.length > most) return fieldError('TOO_LONG', `This value should have ${most} ${of}s or less.`);
    return value.flatMap((word: unknown) =>
      typeof word === 'string'
        ? errorsIn(faultOf(word))
        : [fieldError('WRONG_TYPE', `Each ${of} should be a string.`)],
    );
  };
  return field(options, false, (value) => value, { type: ['string'], minItems: 1, maxItems: most }, validate);
}

/** An integer. Its decimal text is accepted; `""` counts as absent. */
export function IntegerField(options: FieldOptions & { min?: number; max?: number }): PropertyDecorator {
  const { min = -MAX_INTEGER - 1, max = MAX_INTEGER } = options;
  return field(options, true, coerceInteger, { type: 'integer', minimum: min, maximum: max }, (value) => [
    ...unless(Number.isInteger(value), fieldError('WRONG_TYPE', 'This value should be an integer.')),
    ...(Number.isFinite(value) ? outOfRange(value as number, min, max) : []),
  ]);
}

const outOfRange = (value: number, min: number, max: number): readonly FieldError[] => [
  ...unless(value >= min, fieldError('TOO_SMALL', `This value should be ${min} or more.`)),
  ...unless(value <= max, fieldError('TOO_LARGE', `This value should be ${max} or less.`)),
];

/** A field that accepts only certain integers. */
export function IntegerChoiceField(
  options: FieldOptions & { choices: readonly number[] },
): PropertyDecorator {
  const { choices } = options;
  const documentation: FieldDescription = { type: 'integer', enum: [...choices] };
  return field(options, true, coerceInteger, documentation, isOneOf(choices));
}

export const NO_IDENTIFIER = fieldError('INVALID_IDENTIFIER', 'This value should be an identifier.');

export function IdentifierField(
  options: FieldOptions & { declaredAs: 'integer' | 'string' },
): PropertyDecorator {
  return field(options, true, coerceInteger, { type: options.declaredAs }, (value) =>
    Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_INTEGER
      ? undefined
      : NO_IDENTIFIER,
  );
}

/** A boolean. `true`, `false`, `1` and `0` are also accepted as text or number; `""` counts as absent. */
export function BooleanField(
  options: FieldOptions & { declaredAs?: 'boolean' | 'string' },
): PropertyDecorator {
  return field(options, true, coerceBoolean, { type: options.declaredAs ?? 'boolean' }, (value) =>
    typeof value === 'boolean' ? undefined : fieldError('WRONG_TYPE', 'This value should be true or false.'),
  );
}

const LATEST_TIMESTAMP = 253_402_300_799;
export const NO_TIMESTAMP = fieldError(
  'INVALID_TIMESTAMP',
  'This value should be a timestamp in Unix seconds.',
);

const isTimestamp = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LATEST_TIMESTAMP;

export function timestampIn(text: string): number | null {
  const value = coerceInteger(text);
  return isTimestamp(value) ? value : null;
}

/**
 * Unix seconds as text, up to the end of the year 9999. With `emptyClears`, `""` becomes
 * null; otherwise it is absent.
 */
export const TimestampField = ({
  emptyClears = false,
  ...options
}: FieldOptions & { emptyClears?: boolean }): PropertyDecorator =>
  field(
    options,
    !emptyClears,
    (value) => (emptyClears && value === '' ? null : coerceInteger(value)),
    { type: 'string' },
    (value) => (isTimestamp(value) ? undefined : NO_TIMESTAMP),
  );
