import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { plainToInstance, Transform, type TransformFnParams } from 'class-transformer';
import type { ValidationOptions } from 'class-validator';
import { fault, faultsIn, type Fault, type FoundFaults } from '../errors/fault';
import { IsBoolean, IsIn, IsInt, IsString, Max, MaxLength, Min, ValidateBy } from './class-validator';
import { coerceBoolean, coerceInteger, coerceText } from './coercion';

/** The largest identifier and integer on the wire (32 bits, decisions.md section 2). */
export const MAX_INTEGER = 2_147_483_647;

/** How a request body treats one field before its value is validated. */
export interface FieldRule {
  /** Absent, null and (unless the field keeps empty text) `""` are refused. */
  readonly required: boolean;
  /** On PUT and PATCH, null clears the field instead of being refused. */
  readonly nullable: boolean;
  /** `""` counts as absent. */
  readonly emptyIsAbsent: boolean;
  /** The number 0 counts as absent. */
  readonly zeroIsAbsent: boolean;
}

export interface FieldOptions {
  required?: boolean;
  nullable?: boolean;
  /** Says what the field is, for the interface description. */
  description?: string;
  /** The number 0, not the text, counts as absent: what a client sends for no address (decisions.md section 11). */
  zeroIsAbsent?: boolean;
  example?: unknown;
  default?: unknown;
}

const rulesByShape = new WeakMap<object, Map<string, FieldRule>>();

/** The request fields that a DTO class declares, with their rules; everything else in a body is unknown. */
export function fieldRules(shape: abstract new () => object): ReadonlyMap<string, FieldRule> {
  return rulesByShape.get(shape.prototype as object) ?? new Map<string, FieldRule>();
}

const register =
  (rule: FieldRule): PropertyDecorator =>
  (prototype, name) => {
    const rules = rulesByShape.get(prototype) ?? new Map<string, FieldRule>();
    rulesByShape.set(prototype, rules.set(String(name), rule));
  };

const CONTAINERS = Symbol('containers');

/** Stands for a list or an object while class-transformer runs. */
const CONTAINER = Symbol('container');

interface TransformSource {
  readonly [CONTAINERS]: Readonly<Record<string, object>>;
}

/**
 * The DTO of a body, with the coercion of its fields applied by class-transformer. It must not see lists and objects
 * of a client: it walks into them before it transforms the field, and calls what lies under a key such as
 * `constructor`. The fields' transforms get those from aside.
 */
export function transformed<Dto extends object>(
  shape: Type<Dto>,
  values: Readonly<Record<string, unknown>>,
): Dto {
  const containers: Record<string, object> = {};
  const source: Record<string, unknown> & TransformSource = { [CONTAINERS]: containers };
  for (const [name, value] of Object.entries(values)) {
    const isContainer = typeof value === 'object' && value !== null;
    if (isContainer) containers[name] = value;
    source[name] = isContainer ? CONTAINER : value;
  }
  return plainToInstance(shape, source, { exposeDefaultValues: false });
}

/** Applies a coercion to a value that is not null; what it does not understand stays, for validation to refuse. */
const Coerce = (coerce: (value: unknown) => unknown): PropertyDecorator =>
  Transform(({ value, obj, key }: TransformFnParams) => {
    const received: unknown = value === CONTAINER ? (obj as TransformSource)[CONTAINERS][key] : value;
    return received === null ? null : coerce(received);
  });

/**
 * What every field decorator below is made of: its rule, the coercion that decisions.md asks for, the
 * class-validator checks, and its line in the OpenAPI document. One decorator on a DTO field says all four.
 */
export function field(
  options: FieldOptions,
  emptyIsAbsent: boolean,
  coerce: (value: unknown) => unknown,
  documentation: ApiPropertyOptions,
  ...checks: PropertyDecorator[]
): PropertyDecorator {
  const { required = false, nullable = false, description, example } = options;
  return applyDecorators(
    register({ required, nullable, emptyIsAbsent, zeroIsAbsent: options.zeroIsAbsent ?? false }),
    Coerce(coerce),
    ...checks,
    ApiProperty({
      ...documentation,
      required,
      ...(nullable && { nullable }),
      ...(description !== undefined && { description }),
      ...(example !== undefined && { example }),
      ...(options.default !== undefined && { default: options.default }),
    } as ApiPropertyOptions),
  );
}

/** Text that PostgreSQL can store as it is: no NUL, no half of a surrogate pair. */
export const isStorableText = (value: unknown): boolean =>
  typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed());

/** What every check leaves with class-validator beside its text: the faults that it finds in a value. */
export interface CheckContext {
  readonly faultsOf: (value: unknown) => readonly Fault[];
}

const withContext = (context: CheckContext): ValidationOptions => ({ context });

/** How a check of class-validator's own is told; not of a value that another check has found of a wrong type. */
const tells = (found: Fault, concerns: (value: unknown) => boolean = () => true): ValidationOptions => ({
  message: found.message,
  ...withContext({ faultsOf: (value) => (concerns(value) ? [found] : []) }),
});

/** A check of one field by a function that returns what is wrong with it. */
export const Check = (name: string, validate: (value: unknown) => FoundFaults): PropertyDecorator => {
  const faultsOf = (value: unknown) => faultsIn(validate(value));
  return ValidateBy(
    {
      name,
      validator: {
        validate: (value: unknown) => faultsOf(value).length === 0,
        // What has no text of its own loses its context.
        defaultMessage: (args) => faultsOf(args?.value)[0]?.message ?? '',
      },
    },
    withContext({ faultsOf }),
  );
};

/** What is wrong with text that PostgreSQL can not store. */
export const NOT_STORABLE = fault('NOT_STORABLE', 'This value contains a character that can not be stored.');

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => Number.isFinite(value);

interface TextOptions extends FieldOptions {
  /** Most characters that the column holds. */
  max: number;
  /** `""` counts as absent instead of being stored. */
  emptyIsAbsent?: boolean;
  /** White space around the text is cut. */
  trim?: boolean;
  /** A further check of the text, returning what is wrong. */
  check?: (text: string) => FoundFaults;
  format?: string;
  /** The lengths that the check asks for, where they are narrower than `max`. */
  described?: { readonly minLength: number; readonly maxLength: number };
}

const tooLong = (max: number): Fault =>
  fault('TOO_LONG', `This value is too long. It should have ${max} characters or less.`);

const oneOf = (choices: readonly unknown[]): Fault =>
  fault('NOT_A_CHOICE', `This value should be one of ${choices.join(', ')}.`);

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

/** Text; numbers are accepted as their decimal text. */
export function TextField(options: TextOptions): PropertyDecorator {
  const { max, check, format, described = { maxLength: max } } = options;
  return field(
    options,
    options.emptyIsAbsent ?? false,
    options.trim === true ? (value) => trimmed(coerceText(value)) : coerceText,
    { type: String, ...described, ...(format !== undefined && { format }) },
    IsString(tells(fault('WRONG_TYPE', 'This value should be a string.'))),
    MaxLength(max, tells(tooLong(max), isText)),
    Check('isStorableText', (value) => (isStorableText(value) ? undefined : NOT_STORABLE)),
    ...(check === undefined
      ? []
      : [Check('text', (value) => (typeof value === 'string' ? check(value) : undefined))]),
  );
}

/** One word of a list. */
export function WordField(options: FieldOptions & { words: readonly string[] }): PropertyDecorator {
  const { words } = options;
  return field(
    options,
    true,
    coerceText,
    { type: String, enum: [...words] },
    IsIn(words, tells(oneOf(words))),
  );
}

/** An integer; its decimal text is accepted, `""` counts as absent. */
export function IntegerField(options: FieldOptions & { min?: number; max?: number }): PropertyDecorator {
  const { min = -MAX_INTEGER - 1, max = MAX_INTEGER } = options;
  return field(
    options,
    true,
    coerceInteger,
    { type: 'integer', minimum: min, maximum: max },
    IsInt(tells(fault('WRONG_TYPE', 'This value should be an integer.'))),
    Min(min, tells(fault('TOO_SMALL', `This value should be ${min} or more.`), isNumber)),
    Max(max, tells(fault('TOO_LARGE', `This value should be ${max} or less.`), isNumber)),
  );
}

/** One of a few integers. */
export function IntegerChoiceField(
  options: FieldOptions & { choices: readonly number[] },
): PropertyDecorator {
  const { choices } = options;
  return field(
    options,
    true,
    coerceInteger,
    { type: 'integer', enum: [...choices] },
    IsIn(choices, tells(oneOf(choices))),
  );
}

/** What is wrong with what is no identifier. */
export const NO_IDENTIFIER = fault('INVALID_IDENTIFIER', 'This value should be an identifier.');

/** The identifier of a record, as an integer or its decimal text, whatever the description declares. */
export function IdentifierField(
  options: FieldOptions & { declaredAs: 'integer' | 'string' },
): PropertyDecorator {
  return field(
    options,
    true,
    coerceInteger,
    { type: options.declaredAs },
    IsInt(tells(NO_IDENTIFIER)),
    Min(1, tells(NO_IDENTIFIER)),
    Max(MAX_INTEGER, tells(NO_IDENTIFIER)),
  );
}

/** A boolean; `true`, `false`, `1` and `0` are accepted as text or number too, `""` counts as absent. */
export function BooleanField(
  options: FieldOptions & { declaredAs?: 'boolean' | 'string' },
): PropertyDecorator {
  return field(
    options,
    true,
    coerceBoolean,
    { type: options.declaredAs ?? 'boolean' },
    IsBoolean(tells(fault('WRONG_TYPE', 'This value should be true or false.'))),
  );
}
