import { fault } from '../errors/fault';
import { coerceInteger } from './coercion';
import { Check, field, type FieldOptions } from './field.decorators';

const LATEST_TIMESTAMP = 253_402_300_799;
/** What is wrong with what is no moment. */
export const NO_TIMESTAMP = fault('INVALID_TIMESTAMP', 'This value should be a timestamp in Unix seconds.');

const isTimestamp = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LATEST_TIMESTAMP;

/** The Unix seconds that a text holds; null for what holds none. */
export function timestampIn(text: string): number | null {
  const value = coerceInteger(text);
  return isTimestamp(value) ? value : null;
}

/** A moment as text holding Unix seconds, up to the end of the year 9999. */
export const TimestampField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    true,
    coerceInteger,
    { type: String },
    Check('timestamp', (value) => (isTimestamp(value) ? undefined : NO_TIMESTAMP)),
  );
