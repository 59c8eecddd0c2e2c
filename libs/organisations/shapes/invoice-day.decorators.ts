import { fault } from '@app/core/errors/fault';
import { Check, field, type FieldOptions } from '@app/core/wire/field.decorators';
import { isPlainObject, isWhole, withIntegers } from './organisation.decorators';

/** The days of the month between which invoices are made; a missing bound takes its default, 1 or 28. */
export const InvoiceDayField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    true,
    (value) =>
      isPlainObject(value)
        ? withIntegers({ min: given(value['min']) ?? 1, max: given(value['max']) ?? 28 })
        : value,
    {
      type: 'object',
      properties: {
        min: { type: 'integer', minimum: 1, maximum: 28, description: 'First day; 1 where it is left out' },
        max: { type: 'integer', minimum: 1, maximum: 28, description: 'Last day; 28 where it is left out' },
      },
    },
    Check('invoiceDay', (value) =>
      isPlainObject(value) &&
      isWhole(value['min'], 1, 28) &&
      isWhole(value['max'], 1, 28) &&
      (value['min'] as number) <= (value['max'] as number)
        ? undefined
        : fault('INVALID', 'This value should have min and max from 1 to 28, min not above max.'),
    ),
  );

/** Old clients send an empty text for a number that they leave out (decisions.md section 1). */
const given = (value: unknown): unknown => (value === '' ? undefined : value);
