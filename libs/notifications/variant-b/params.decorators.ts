import { fault, type FoundFaults } from '@app/core/errors/fault';
import {
  Check,
  field,
  isStorableText,
  NOT_STORABLE,
  type FieldOptions,
} from '@app/core/wire/field.decorators';

/** Most bytes of params as JSON; the same as for a user's shortcuts (decisions.md section 6). */
const MAX_BYTES = 16_384;

/** Deepest nesting of params: enough for any description of an event, and harmless to every reader. */
const DEEPEST = 10;

/** A free-form object of a bounded size that PostgreSQL can store. */
export const ParamsField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    true,
    (value) => value,
    { type: 'object', additionalProperties: true },
    Check('params', validateParams),
  );

/** What is wrong with the params of a notification, or undefined. */
function validateParams(value: unknown): FoundFaults {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fault('WRONG_TYPE', 'This value should be an object.');
  }
  // Depth first: serialising is recursive too.
  if (isDeeper(value, DEEPEST))
    return fault('TOO_DEEP', `This value is nested too deeply. It should have ${DEEPEST} levels or less.`);
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_BYTES) {
    return fault('TOO_LONG', `This value is too long. It should have ${MAX_BYTES} bytes or less as JSON.`);
  }
  return isStorable(value) ? undefined : NOT_STORABLE;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

function isStorable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isStorableText(value);
  return Object.entries(value).every(([name, item]) => isStorableText(name) && isStorable(item));
}
