import { fault } from '@app/core/errors/fault';
import { coerceInteger } from '@app/core/wire/coercion';
import {
  Check,
  field,
  isStorableText,
  MAX_INTEGER,
  type FieldOptions,
} from '@app/core/wire/field.decorators';
import { isPlainObject, isWhole, withIntegers } from '../organisation.decorators';

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

const MAX_AGREEMENTS = 50;
const AGREEMENTS = fault('INVALID', 'This value should be an object from entity class name to agreement id.');

/** Agreement ids by entity class name; `[]` is the empty object. */
export const AgreementsField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    false,
    (value) => (Array.isArray(value) && value.length === 0 ? {} : withIntegers(value)),
    { type: 'object', additionalProperties: { type: 'integer' } },
    Check('agreements', (value) =>
      isPlainObject(value) &&
      Object.keys(value).length <= MAX_AGREEMENTS &&
      Object.entries(value).every(
        ([name, id]) => name.length <= 255 && isStorableText(name) && isWhole(id, 1, MAX_INTEGER),
      )
        ? undefined
        : AGREEMENTS,
    ),
  );
