import { plainToInstance } from 'class-transformer';
import { Validator } from 'class-validator';
import { BadRequest, type FieldError, fieldError, ValidationFailed } from '../errors/api-error';
import { composedValue } from './composed-text';
import { type FieldRule, fieldRules } from './field.decorators';
import type { RequestShape } from './shapes';
import { REQUIRED } from './text-rules';

const validator = new Validator();

const NOT_NULLABLE = fieldError('NOT_NULLABLE', 'This value cannot be null.');
/** A body, or a row of an import, has a field that is not declared. */
export const UNKNOWN_FIELD = fieldError('UNKNOWN_FIELD', 'This field is not known.');

/**
 * Reads a request body, or a row of an import, into the input of the domain: takes the declared fields,
 * composes their texts and applies the coercion and checks of their decorators. Throws {@link
 * ValidationFailed} with every failing field.
 */
export function readBody<RequestBody>(
  shape: RequestShape<RequestBody>,
  body: unknown,
  strict: boolean,
): RequestBody {
  const received = objectOf(body);
  // With STRICT_BODY a client chooses the names, so `__proto__` must be a name like any other.
  const errors = Object.create(null) as Record<string, readonly FieldError[]>;
  const values: Record<string, unknown> = {};
  const rules = fieldRules(shape.body);
  for (const [name, rule] of rules) {
    const value = Object.hasOwn(received, name) ? received[name] : undefined;
    if (isAbsent(value, rule, shape.nulls)) {
      if (rule.required) errors[name] = [REQUIRED];
    } else if (value === null && !rule.nullable) {
      errors[name] = [NOT_NULLABLE];
    } else {
      values[name] = value === null ? null : rule.coerce(composedValue(value));
    }
  }
  // class-transformer gets no values: it would walk through a client's objects and call
  // functions that it finds there.
  const dto: object = Object.assign(plainToInstance(shape.body, {}), values);
  if (strict && shape.ignoresUnknown !== true) {
    for (const name of Object.keys(received)) if (!rules.has(name)) errors[name] = [UNKNOWN_FIELD];
  }
  const options = { skipUndefinedProperties: true, skipNullProperties: true };
  const invalid = new Set(validator.validateSync(dto, options).map(({ property }) => property));
  // class-validator returns inherited fields last; the response keeps the order of the fields.
  for (const [name, { faultsOf }] of rules)
    if (invalid.has(name)) errors[name] = distinct(faultsOf(values[name]));
  if (Object.keys(errors).length > 0) throw new ValidationFailed(errors);
  return shape.toInput(dto);
}

/** Drops duplicates, because several items of a list may have the same error. */
const distinct = (faults: readonly FieldError[]): readonly FieldError[] => [
  ...new Map(faults.map((found) => [found.message, found])).values(),
];

function isAbsent(value: unknown, rule: FieldRule, nulls: RequestShape<unknown>['nulls']): boolean {
  if (value === undefined) return true;
  if (value === null) return nulls === 'absent' || rule.required;
  if (value === 0) return rule.zeroIsAbsent;
  if (typeof value === 'string') {
    return (rule.required && value.trim() === '') || (rule.emptyIsAbsent && value === '');
  }
  return false;
}

function objectOf(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new BadRequest('The body should be a JSON object', 'NOT_AN_OBJECT');
  }
  return body as Record<string, unknown>;
}
