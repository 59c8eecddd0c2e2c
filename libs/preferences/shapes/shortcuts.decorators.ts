import { fault, type FoundFaults } from '@app/core/errors/fault';
import {
  Check,
  field,
  isStorableText,
  NOT_STORABLE,
  type FieldOptions,
} from '@app/core/wire/field.decorators';

/** Most bytes that shortcuts take as JSON (decisions.md section 6). */
const SHORTCUTS_MAX_BYTES = 16_384;

/** Objects of the client's own making, kept as they are: their keys mean nothing to the service. */
export const ShortcutsField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    false,
    (value) => value,
    { type: 'array', items: { type: 'object', additionalProperties: true } },
    Check('shortcuts', validateShortcuts),
  );

function validateShortcuts(value: unknown): FoundFaults {
  if (!Array.isArray(value) || !value.every(isObject)) {
    return fault('WRONG_TYPE', 'This value should be an array of objects.');
  }
  if (Buffer.byteLength(JSON.stringify(value)) > SHORTCUTS_MAX_BYTES) {
    return fault(
      'TOO_LONG',
      `This value is too long. It should have ${SHORTCUTS_MAX_BYTES} bytes of JSON or less.`,
    );
  }
  return holdsStorableText(value) ? undefined : NOT_STORABLE;
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names and values at every depth; how deep a body may be is limited where it is read. */
function holdsStorableText(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isStorableText(value);
  return Object.entries(value).every(([name, held]) => isStorableText(name) && holdsStorableText(held));
}
