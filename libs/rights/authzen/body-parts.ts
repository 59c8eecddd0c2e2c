import { IsObject } from 'class-validator';
import { field, type FieldOptions } from '@app/platform/dto/field.decorators';
import { HasNoFaults, refusing } from '@app/platform/dto/field-checks';
import { type FieldError, fieldError } from '@app/platform/errors/api-error';

/** An object in a body. */
export type Body = Readonly<Record<string, unknown>>;

/** The members that a part of a question may require. */
type Key = 'type' | 'id' | 'name';

export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined for null and blank text, which count as missing. */
export const undefinedIfBlank = (value: unknown): unknown =>
  value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value;

/** An own member of the object: inherited ones such as `constructor` do not count. */
export const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? undefinedIfBlank(value[name]) : undefined;

/** The errors in a part of a question. Members that the standard does not define are ignored. */
export function faultsOfPart(part: string, keys: readonly Key[], value: unknown): FieldError[] {
  if (undefinedIfBlank(value) === undefined) return [fieldError('REQUIRED', `${part} should not be blank.`)];
  if (!isObject(value)) return [fieldError('WRONG_TYPE', `${part} should be an object.`)];
  const properties = memberOf(value, 'properties') ?? {};
  return [
    ...keys.flatMap((key): FieldError[] => {
      const text = memberOf(value, key);
      if (text === undefined) return [fieldError('REQUIRED', `${part}.${key} should not be blank.`)];
      return typeof text === 'string' ? [] : [fieldError('WRONG_TYPE', `${part}.${key} should be a string.`)];
    }),
    ...(isObject(properties) ? [] : [fieldError('WRONG_TYPE', `${part}.properties should be an object.`)]),
  ];
}

export const ANYTHING = { type: 'object', additionalProperties: true } as const;

const MEANINGS: Readonly<Record<Key, string>> = {
  type: 'Its type',
  id: 'Its identifier, as text',
  name: 'Its name',
};

/** An object of the body, documented with its members. */
export const PartField = (
  part: 'subject' | 'action' | 'resource',
  keys: readonly Key[],
  { required = true, ...options }: FieldOptions & { description: string; example: object },
): PropertyDecorator =>
  field(
    { ...options, required },
    {
      emptyIsAbsent: false,
      coerce: undefinedIfBlank,
      documentation: {
        type: 'object',
        properties: {
          ...Object.fromEntries(keys.map((key) => [key, { type: 'string', description: MEANINGS[key] }])),
          properties: { ...ANYTHING, description: 'Ignored: no decision depends on it' },
        },
      },
      checks: [HasNoFaults('isPart', (value) => faultsOfPart(part, required ? keys : [], value))],
    },
  );

const NO_CONTEXT = fieldError('WRONG_TYPE', 'context should be an object.');

export const ContextField = (): PropertyDecorator =>
  field(
    { description: 'Ignored: a decision depends on nothing but what this service knows', example: {} },
    {
      emptyIsAbsent: false,
      coerce: undefinedIfBlank,
      documentation: ANYTHING,
      checks: [IsObject(refusing(NO_CONTEXT))],
    },
  );
