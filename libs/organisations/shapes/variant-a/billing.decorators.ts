import { fault } from '@app/core/errors/fault';
import {
  Check,
  field,
  isStorableText,
  MAX_INTEGER,
  type FieldOptions,
} from '@app/core/wire/field.decorators';
import { isPlainObject, isWhole, withIntegers } from '../organisation.decorators';

/** Most default agreements of an organisation. */
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
