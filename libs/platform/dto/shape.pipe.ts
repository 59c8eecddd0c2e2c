import { ValidationPipe } from '@nestjs/common';
import * as classTransformer from 'class-transformer';
import type { ValidationError } from 'class-validator';
import * as classValidator from 'class-validator';
import { BadRequest, type ErrorsByField, fieldError, ValidationFailed } from '../errors/api-error';
import { composedValue } from './composed-text';
import { type Class, describedFields } from './described-fields';
import { enclosed } from './enclosed-value';
import { faultsIn, isMissing } from './field-checks';
import type { RequestShape } from './shapes';

/** A body, or a row of an import, has a field that is not declared. */
export const UNKNOWN_FIELD = fieldError('UNKNOWN_FIELD', 'This field is not known.');

/**
 * Reads a request body, or a row of an import, into the input of the domain: takes the declared fields,
 * composes their texts and applies the coercion and checks of their decorators. Throws {@link
 * ValidationFailed} with every failing field.
 */
export class ShapePipe<Input> extends ValidationPipe {
  /** @param strict refuses fields that are not declared (`STRICT_BODY`) */
  constructor(
    private readonly shape: RequestShape<Input>,
    private readonly strict: boolean,
  ) {
    super({
      expectedType: shape.body,
      transform: true,
      transformOptions: { excludeExtraneousValues: true, exposeUnsetFields: false },
      skipUndefinedProperties: true,
      // There a null is no client's: it is the default of a row of an import.
      skipNullProperties: shape.nulls === 'absent',
      transformerPackage: classTransformer,
      validatorPackage: classValidator,
      exceptionFactory: (errors) => new ValidationFailed(errorsByField(shape.body, errors)),
    });
  }

  override async transform(body: unknown): Promise<Input> {
    const received = objectOf(body);
    const unknown = this.strict && this.shape.ignoresUnknown !== true ? this.unknownIn(received) : {};
    let dto: object;
    try {
      dto = (await super.transform(declaredValues(this.shape, received), { type: 'body' })) as object;
    } catch (error) {
      throw error instanceof ValidationFailed ? withUnknown(error, unknown) : error;
    }
    if (Object.keys(unknown).length > 0) throw new ValidationFailed(unknown);
    return this.shape.toInput(dto);
  }

  private unknownIn(received: Body): ErrorsByField {
    const fields = describedFields(this.shape.body);
    return Object.fromEntries(
      Object.keys(received).flatMap((name) => (fields.has(name) ? [] : [[name, [UNKNOWN_FIELD]]])),
    );
  }
}

/** Reads a body, or a row, by its shape: see {@link ShapePipe}. */
export const readBody = <Input>(shape: RequestShape<Input>, body: unknown, strict: boolean): Promise<Input> =>
  new ShapePipe(shape, strict).transform(body);

type Body = Readonly<Record<string, unknown>>;

function objectOf(body: unknown): Body {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new BadRequest('The body should be a JSON object', 'NOT_AN_OBJECT');
  }
  return body as Body;
}

/** What class-transformer may see of a body: own values of declared fields. */
export function declaredValues({ body, nulls }: RequestShape<unknown>, received: Body): Body {
  const values: Record<string, unknown> = {};
  for (const name of describedFields(body).keys()) {
    if (!Object.hasOwn(received, name)) continue;
    const value = received[name];
    if (value !== null || nulls === 'clear') values[name] = enclosed(composedValue(value));
  }
  return values;
}

/** Missing fields come first, then wrong ones, both in the order of declaration. */
function errorsByField(body: Class, errors: readonly ValidationError[]): ErrorsByField {
  const byField = new Map(errors.map((error) => [error.property, error]));
  const found = [...describedFields(body).keys()].flatMap((name) => byField.get(name) ?? []);
  return Object.fromEntries(
    [...found.filter(isMissing), ...found.filter((error) => !isMissing(error))].map((error) => [
      error.property,
      faultsIn(error),
    ]),
  );
}

/** Unknown fields come after missing ones and before wrong ones. */
function withUnknown({ fields = {} }: ValidationFailed, unknown: ErrorsByField): ValidationFailed {
  const found = Object.entries(fields);
  const first = found.findIndex(
    ([, [fault]]) => fault?.reason !== 'REQUIRED' && fault?.reason !== 'NOT_NULLABLE',
  );
  const missing = first === -1 ? found.length : first;
  return new ValidationFailed(
    Object.fromEntries([...found.slice(0, missing), ...Object.entries(unknown), ...found.slice(missing)]),
  );
}
