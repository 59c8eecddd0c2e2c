import type { ValidationError } from 'class-validator';
import { BadRequest, ValidationFailed } from '../errors/api-error';
import { fault, type Fault } from '../errors/fault';
import { validator } from './class-validator';
import { fieldRules, transformed, type CheckContext, type FieldRule } from './field.decorators';
import type { RequestShape } from './shapes';

/** What is wrong with a required field that is absent, null or blank. */
export const REQUIRED = fault('REQUIRED', 'This value should not be blank.');

const NOT_NULLABLE = fault('NOT_NULLABLE', 'This value can not be null.');
/** What is wrong with a field that a body, or a row, has no use for. */
export const UNKNOWN_FIELD = fault('UNKNOWN_FIELD', 'This field is not known.');
const INVALID = fault('INVALID', 'This value is not valid.');

/**
 * Reads a request body by its shape: picks the declared fields, applies the coercion and the checks of their
 * decorators, and gives the domain input. Throws {@link ValidationFailed} with every failing field.
 */
export function readBody<RequestBody>(
  shape: RequestShape<RequestBody>,
  body: unknown,
  strict: boolean,
): RequestBody {
  const received = objectOf(body);
  // A client chooses the names under STRICT_BODY: `__proto__` must be a name like any other.
  const errors = Object.create(null) as Record<string, readonly Fault[]>;
  const values: Record<string, unknown> = {};
  const rules = fieldRules(shape.body);
  for (const [name, rule] of rules) {
    const value = Object.hasOwn(received, name) ? received[name] : undefined;
    if (isAbsent(value, rule, shape.nulls)) {
      if (rule.required) errors[name] = [REQUIRED];
    } else if (value === null && !rule.nullable) {
      errors[name] = [NOT_NULLABLE];
    } else {
      values[name] = value;
    }
  }
  const dto = transformed(shape.body, values);
  if (strict) {
    for (const name of Object.keys(received)) if (!rules.has(name)) errors[name] = [UNKNOWN_FIELD];
  }
  for (const error of validator.validateSync(dto, {
    skipUndefinedProperties: true,
    skipNullProperties: true,
  })) {
    errors[error.property] = faultsOf(error);
  }
  if (Object.keys(errors).length > 0) throw new ValidationFailed(errors);
  return shape.toInput(dto);
}

/** Several checks of one field may say the same. */
function faultsOf({ contexts, value }: ValidationError): readonly Fault[] {
  const checks = Object.values<CheckContext>(contexts ?? {});
  const byText = new Map(
    checks.flatMap((check) => check.faultsOf(value)).map((found) => [found.message, found]),
  );
  return byText.size === 0 ? [INVALID] : [...byText.values()];
}

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
