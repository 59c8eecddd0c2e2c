import { fault } from '@app/core/errors/fault';
import { countryById } from '@app/core/geography/countries';
import { coerceInteger } from '@app/core/wire/coercion';
import { TextField, type FieldOptions } from '@app/core/wire/field.decorators';

const NO_COUNTRY = fault('DOES_NOT_EXIST', 'This country does not exist.');

/** The identifier of a country: ISO 3166-1 alpha-2 in any case, `""` for none. */
export const CountryField = (options: FieldOptions): PropertyDecorator =>
  TextField({
    ...options,
    max: 2,
    emptyIsAbsent: true,
    check: (text) => (countryById(text) === undefined ? NO_COUNTRY : undefined),
    example: 'NL',
  });

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isWhole = (value: unknown, min: number, max: number): boolean =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;

export const withIntegers = (value: unknown): unknown =>
  isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, coerceInteger(item)]))
    : value;
