import { fault } from '../errors/fault';
import { coerceInteger } from './coercion';
import { Check, field, type FieldOptions } from './field.decorators';

const LATEST_TIMESTAMP = 253_402_300_799;
const NO_TIMESTAMP = fault('INVALID_TIMESTAMP', 'This value should be a timestamp in Unix seconds.');

/** A moment as text holding Unix seconds, up to the end of the year 9999. */
export const TimestampField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    true,
    coerceInteger,
    { type: String },
    Check('timestamp', (value) =>
      Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LATEST_TIMESTAMP
        ? undefined
        : NO_TIMESTAMP,
    ),
  );
