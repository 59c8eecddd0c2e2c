import { coerceInteger } from '@app/platform/dto/coercion';
import { field, type FieldOptions, TextField } from '@app/platform/dto/field.decorators';
import { refusing, Satisfies } from '@app/platform/dto/field-checks';
import { fieldError } from '@app/platform/errors/api-error';
import { countryById, countryCodeIn } from '../countries';

const NO_COUNTRY = fieldError('DOES_NOT_EXIST', 'This country does not exist.');

/** A country: ISO 3166-1 alpha-2 or `XK` in any case, or the `UK` and `EL` of the EU; blank for none. */
export const CountryField = (options: FieldOptions): PropertyDecorator =>
  TextField({
    ...options,
    max: 2,
    emptyIsAbsent: true,
    read: countryCodeIn,
    rules: [{ name: 'isCountry', holds: (text) => countryById(text) !== undefined, error: NO_COUNTRY }],
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

/** The first and last day of the month for invoices, by default 1 and 28. */
export const InvoiceDayField = (options: FieldOptions): PropertyDecorator =>
  field(options, {
    emptyIsAbsent: true,
    coerce: (value) =>
      isPlainObject(value)
        ? withIntegers({ min: given(value['min']) ?? 1, max: given(value['max']) ?? 28 })
        : value,
    documentation: {
      type: 'object',
      properties: {
        min: { type: 'integer', minimum: 1, maximum: 28, description: 'First day; 1 where it is left out' },
        max: { type: 'integer', minimum: 1, maximum: 28, description: 'Last day; 28 where it is left out' },
      },
    },
    checks: [Satisfies('areInvoiceDays', areInvoiceDays, refusing(NO_INVOICE_DAYS))],
  });

const NO_INVOICE_DAYS = fieldError(
  'INVALID',
  'This value should have min and max from 1 to 28, min not above max.',
);

const areInvoiceDays = (value: unknown): boolean =>
  isPlainObject(value) &&
  isWhole(value['min'], 1, 28) &&
  isWhole(value['max'], 1, 28) &&
  (value['min'] as number) <= (value['max'] as number);

/** Old clients send an empty text for an absent number (rule requests 10). */
const given = (value: unknown): unknown => (value === '' ? undefined : value);
