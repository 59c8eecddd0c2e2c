import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { RequestRefused, ValidationFailed } from '../errors/api-error';
import { fieldRules, type FieldRule } from './fields';
import type { RequestShape } from './shapes';

const REQUIRED = 'This value should not be blank.';
const NOT_NULLABLE = 'This value can not be null.';
const UNKNOWN = 'This field is not known.';

/**
 * Reads a request body by its shape: picks the declared fields, applies the leniency and the checks of their
 * decorators, and gives the domain input. Throws {@link ValidationFailed} with every failing field.
 */
export function readBody<Input>(shape: RequestShape<Input>, body: unknown, strict: boolean): Input {
  const received = objectOf(body);
  // A client chooses the names under STRICT_BODY: `__proto__` must be a name like any other.
  const faults = Object.create(null) as Record<string, string[]>;
  const scalars: Record<string, unknown> = {};
  const containers: Record<string, unknown> = {};
  const rules = fieldRules(shape.body);
  for (const [name, rule] of rules) {
    const value = Object.hasOwn(received, name) ? received[name] : undefined;
    if (isAbsent(value, rule, shape.nulls)) {
      if (rule.required) faults[name] = [REQUIRED];
    } else if (value === null && !rule.nullable) {
      faults[name] = [NOT_NULLABLE];
    } else if (typeof value === 'object' && value !== null) {
      containers[name] = rule.coerce(value);
    } else {
      scalars[name] = value;
    }
  }
  // The transforms of the fields apply their leniency. Containers do not pass through class-transformer: it walks
  // into them and trips over keys such as `constructor`.
  const dto = Object.assign(plainToInstance(shape.body, scalars, { exposeDefaultValues: false }), containers);
  if (strict) {
    for (const name of Object.keys(received)) if (!rules.has(name)) faults[name] = [UNKNOWN];
  }
  for (const error of validateSync(dto, { skipUndefinedProperties: true, skipNullProperties: true })) {
    const texts = Object.values(error.constraints ?? { invalid: 'This value is not valid.' });
    // Several checks of one field may say the same.
    faults[error.property] = [...new Set(texts)];
  }
  if (Object.keys(faults).length > 0) throw new ValidationFailed(faults);
  return shape.toInput(dto);
}

function isAbsent(value: unknown, rule: FieldRule, nulls: RequestShape<unknown>['nulls']): boolean {
  if (value === undefined) return true;
  if (value === null) return nulls === 'absent' || rule.required;
  if (typeof value === 'string') {
    return (rule.required && value.trim() === '') || (rule.emptyIsAbsent && value === '');
  }
  return false;
}

function objectOf(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new RequestRefused('The body should be a JSON object', 'NOT_AN_OBJECT');
  }
  return body as Record<string, unknown>;
}
