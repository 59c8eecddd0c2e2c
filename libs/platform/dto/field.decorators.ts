import { applyDecorators } from '@nestjs/common';
import { Expose, Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  isInt,
  IsString,
  Max,
  max,
  Min,
  min,
  ValidateIf,
} from 'class-validator';
import { type FieldError, fieldError } from '../errors/api-error';
import { coerceBoolean, coerceDigits, coerceInteger, coerceText, MAX_INTEGER } from './coercion';
import { Documented, type FieldDescription } from './described-fields';
import { disclosed } from './enclosed-value';
import { HasNoFaults, refusing, refusingAtOnce, Satisfies } from './field-checks';
import { REQUIRED, type TextRule } from './text-rules';

export interface FieldOptions {
  required?: boolean;
  nullable?: boolean;
  description?: string;
  /**
   * The number 0 counts as absent, but the text `0` does not: clients send 0 for no address
   * (rule requests 18).
   */
  zeroIsAbsent?: boolean;
  example?: unknown;
  default?: unknown;
}

/** How a field is read, beyond what its options say. */
interface FieldReading {
  /** `""` counts as absent. */
  readonly emptyIsAbsent: boolean;
  /** Turns a value that is present into what is checked and stored. Undefined: it counts as absent. */
  readonly coerce?: (value: unknown) => unknown;
  /** The entry in the interface description, without what the options say. */
  readonly documentation: FieldDescription;
  /** In the order in which their errors are shown. */
  readonly checks?: readonly PropertyDecorator[];
}

/** The basis of all field decorators. class-transformer drops the fields of a body that have none. */
export function field(options: FieldOptions, reading: FieldReading): PropertyDecorator {
  const { required = false, nullable = false, description, example } = options;
  return applyDecorators(
    Expose(),
    Transform(({ value }) => readValue(disclosed(value), options, reading)),
    presenceOf(required, nullable),
    ...(reading.checks ?? []),
    Documented({
      ...reading.documentation,
      required,
      ...(nullable && { nullable }),
      ...(description !== undefined && { description }),
      ...(example !== undefined && { example }),
      ...(options.default !== undefined && { default: options.default }),
    }),
  );
}

/** Null stays: it clears the field, or is refused. */
function readValue(
  value: unknown,
  { required = false, zeroIsAbsent = false }: FieldOptions,
  { emptyIsAbsent, coerce = (same) => same }: FieldReading,
): unknown {
  if (value === null || value === undefined) return value;
  if (zeroIsAbsent && value === 0) return undefined;
  if (emptyIsAbsent && value === '') return undefined;
  if (required && typeof value === 'string' && value.trim() === '') return undefined;
  return coerce(value);
}

const NOT_NULLABLE = fieldError('NOT_NULLABLE', 'This value cannot be null.');

/** The check that a value is there and not null. The pipe skips the other checks of an absent value. */
function presenceOf(required: boolean, nullable: boolean): PropertyDecorator {
  if (required) return IsDefined(refusingAtOnce(REQUIRED));
  if (nullable) return ValidateIf((_body, value: unknown) => value !== null);
  return Satisfies('isNotNull', (value) => value !== null, refusingAtOnce(NOT_NULLABLE));
}

/** Text that PostgreSQL can store: without NUL and unpaired surrogates. */
export const isStorableText = (value: unknown): boolean =>
  typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed());

export const NOT_STORABLE = fieldError(
  'NOT_STORABLE',
  'This value contains a character that cannot be stored.',
);

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
  /** Rules of a text that is not too long. The first broken one counts. */
  rules?: readonly TextRule[];
  /** Further checks, whose errors are shown beside each other. */
  checks?: readonly PropertyDecorator[];
  format?: string;
  /** The lengths in the interface description, if other checks are narrower than `max`. */
  described?: { readonly minLength: number; readonly maxLength: number };
}

export const tooLong = (max: number): FieldError =>
  fieldError('TOO_LONG', `This value is too long. It should have ${max} characters or less.`);

const oneOf = (choices: readonly unknown[]): FieldError =>
  fieldError('NOT_A_CHOICE', `This value should be one of ${choices.join(', ')}.`);

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

/** The coercion of a text field: that of every text, then what its options add. */
function textReader({ digits, trim = false, read = (text) => text }: TextOptions) {
  const coerce = digits === undefined ? coerceText : coerceDigits(digits);
  return (value: unknown): unknown => {
    const text = trim ? trimmed(coerce(value)) : coerce(value);
    return typeof text === 'string' ? read(text) : text;
  };
}

const NO_TEXT = fieldError('WRONG_TYPE', 'This value should be a string.');

export function TextField(options: TextOptions): PropertyDecorator {
  const { max, rules = [], checks = [], format, described = { maxLength: max } } = options;
  return field(options, {
    emptyIsAbsent: options.emptyIsAbsent ?? false,
    coerce: textReader(options),
    documentation: { type: 'string', ...described, ...(format !== undefined && { format }) },
    checks: [
      IsString(refusingAtOnce(NO_TEXT)),
      Satisfies('maxLength', (value) => isShort(value, max), refusingAtOnce(tooLong(max))),
      Satisfies('isStorable', isStorableText, refusing(NOT_STORABLE)),
      ...rules.map(({ name, holds, error }) => Satisfies(name, ofText(max, holds), refusingAtOnce(error))),
      ...checks,
    ],
  });
}

/** Most UTF-16 code units of a character. */
const MAX_UNITS = 2;

/**
 * Counts characters as PostgreSQL does. `MaxLength` of class-validator leaves out variation selectors: a text
 * of hearts would be too long for its column.
 */
const isShort = (value: unknown, max: number): boolean =>
  mayFit(value, max) && (value.length <= max || [...value].length <= max);

/**
 * Whether a value is worth a look: the check of a text of 100 kB could cost as much as a hundred requests.
 * Other checks refuse what is no text, or too long.
 */
export const mayFit = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length <= MAX_UNITS * max;

/** The check of a rule for texts of at most `max` characters. */
export const ofText =
  (max: number, holds: (text: string) => boolean) =>
  (value: unknown): boolean =>
    !mayFit(value, max) || holds(value);

/** A field that accepts only the words of a list. */
export function WordField(options: FieldOptions & { words: readonly string[] }): PropertyDecorator {
  const { words } = options;
  return field(options, {
    emptyIsAbsent: true,
    coerce: coerceText,
    documentation: { type: 'string', enum: [...words] },
    checks: [IsIn(words, refusing(oneOf(words)))],
  });
}

/** A list of at least one word. `faultOf` returns the error of a word. */
export function WordListField(
  options: FieldOptions & { of: string; most: number; faultOf: (word: string) => FieldError | undefined },
): PropertyDecorator {
  const { of, most, faultOf } = options;
  return field(options, {
    emptyIsAbsent: false,
    documentation: { type: ['string'], minItems: 1, maxItems: most },
    checks: [
      IsArray(refusingAtOnce(fieldError('WRONG_TYPE', `This value should be an array of ${of}s.`))),
      ArrayNotEmpty(refusingAtOnce(fieldError('TOO_SHORT', `This value should have 1 ${of} or more.`))),
      ArrayMaxSize(
        most,
        refusingAtOnce(fieldError('TOO_LONG', `This value should have ${most} ${of}s or less.`)),
      ),
      EachItem('areKnownWords', most, (word) =>
        typeof word === 'string' ? faultOf(word) : fieldError('WRONG_TYPE', `Each ${of} should be a string.`),
      ),
    ],
  });
}

/** Checks each item of a list that is not too long. */
export const EachItem = (
  name: string,
  most: number,
  faultOf: (item: unknown) => FieldError | undefined,
): PropertyDecorator =>
  HasNoFaults(name, (list) =>
    Array.isArray(list) && list.length <= most ? list.flatMap((item: unknown) => faultOf(item) ?? []) : [],
  );

const NO_INTEGER = fieldError('WRONG_TYPE', 'This value should be an integer.');

/** An integer. Its decimal text is accepted; `""` counts as absent. */
export function IntegerField(options: FieldOptions & { min?: number; max?: number }): PropertyDecorator {
  const { min = -MAX_INTEGER - 1, max = MAX_INTEGER } = options;
  const tooSmall = fieldError('TOO_SMALL', `This value should be ${min} or more.`);
  const tooLarge = fieldError('TOO_LARGE', `This value should be ${max} or less.`);
  const validateIf = (_body: unknown, value: unknown) => Number.isFinite(value);
  return field(options, {
    emptyIsAbsent: true,
    coerce: coerceInteger,
    documentation: { type: 'integer', minimum: min, maximum: max },
    checks: [
      IsInt(refusing(NO_INTEGER)),
      Min(min, { ...refusing(tooSmall), validateIf }),
      Max(max, { ...refusing(tooLarge), validateIf }),
    ],
  });
}

/** A field that accepts only certain integers. */
export function IntegerChoiceField(
  options: FieldOptions & { choices: readonly number[] },
): PropertyDecorator {
  const { choices } = options;
  return field(options, {
    emptyIsAbsent: true,
    coerce: coerceInteger,
    documentation: { type: 'integer', enum: [...choices] },
    checks: [IsIn(choices, refusing(oneOf(choices)))],
  });
}

/** An integer in a range, with one error for everything else. */
const isIntegerFrom = (min: number, max: number, error: FieldError): readonly PropertyDecorator[] => [
  IsInt(refusingAtOnce(error)),
  Min(min, refusingAtOnce(error)),
  Max(max, refusingAtOnce(error)),
];

export const NO_IDENTIFIER = fieldError('INVALID_IDENTIFIER', 'This value should be an identifier.');

export function IdentifierField(
  options: FieldOptions & { declaredAs: 'integer' | 'string' },
): PropertyDecorator {
  return field(options, {
    emptyIsAbsent: true,
    coerce: coerceInteger,
    documentation: { type: options.declaredAs },
    checks: isIntegerFrom(1, MAX_INTEGER, NO_IDENTIFIER),
  });
}

const NO_BOOLEAN = fieldError('WRONG_TYPE', 'This value should be true or false.');

/** A boolean. `true`, `false`, `1` and `0` are also accepted as text or number; `""` counts as absent. */
export function BooleanField(
  options: FieldOptions & { declaredAs?: 'boolean' | 'string' },
): PropertyDecorator {
  return field(options, {
    emptyIsAbsent: true,
    coerce: coerceBoolean,
    documentation: { type: options.declaredAs ?? 'boolean' },
    checks: [IsBoolean(refusing(NO_BOOLEAN))],
  });
}

const LATEST_TIMESTAMP = 253_402_300_799;
export const NO_TIMESTAMP = fieldError(
  'INVALID_TIMESTAMP',
  'This value should be a timestamp in Unix seconds.',
);

/** The timestamp in a text of a query, or null. */
export function timestampIn(text: string): number | null {
  const value = coerceInteger(text);
  return isInt(value) && min(value, 0) && max(value, LATEST_TIMESTAMP) ? (value as number) : null;
}

/**
 * Unix seconds as text, up to the end of the year 9999. With `emptyClears`, `""` becomes
 * null; otherwise it is absent.
 */
export const TimestampField = ({
  emptyClears = false,
  ...options
}: FieldOptions & { emptyClears?: boolean }): PropertyDecorator =>
  field(options, {
    emptyIsAbsent: !emptyClears,
    coerce: (value) => (emptyClears && value === '' ? null : coerceInteger(value)),
    documentation: { type: 'string' },
    checks: isIntegerFrom(0, LATEST_TIMESTAMP, NO_TIMESTAMP),
  });
