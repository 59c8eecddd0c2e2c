import type { Type } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { type Class, describedFields, Documented, type FieldDescription } from './described-fields';

/**
 * A field of a response. It determines csv columns and the orders of lists, and adds the field to
 * the interface description.
 */
export const ResponseField = (description: FieldDescription = {}): PropertyDecorator =>
  Documented(description);

/** A field that some readers do not see. */
export const RestrictedField = (description: FieldDescription): PropertyDecorator =>
  Documented({ ...description, required: false });

export const responseFields = (shape: Class): string[] => [...describedFields(shape).keys()];

/** The class in the `type` of a field or of its items. */
export function nestedClass(shape: Class, field: string): { type: Class | undefined; isList: boolean } {
  const type = describedFields(shape).get(field)?.type;
  const item: unknown = Array.isArray(type) ? type[0] : type;
  return { type: typeof item === 'function' ? (item as Class) : undefined, isList: Array.isArray(type) };
}

/** Reads one request body in the running variant. */
export interface RequestShape<RequestBody> {
  /** The DTO class: its field decorators validate and document the body. */
  readonly body: Type<object>;
  /** The meaning of null: absent on creation; on PUT and PATCH it clears a nullable field. */
  readonly nulls: 'absent' | 'clear';
  /** Unknown fields are ignored even with `STRICT_BODY`, because a standard requires it. */
  readonly ignoresUnknown?: boolean;
  /** Maps JSON names to names of the domain. Takes a valid instance of `body`. */
  toInput(dto: object): RequestBody;
}

/** Every field of an input, including optional ones. A mapper sets undefined to leave one out. */
export type EveryField<Input> = { [Field in keyof Required<Input>]: Input[Field] };

/** Writes one response in the running variant, field by field. */
export interface ResponseShape<Value> {
  readonly body: Type<object>;
  /** The csv rows, for a response in which csvFormOf finds no table. */
  readonly csv?: CsvTable<Value>;
  toResponse(value: Value): object;
}

/** The csv form of a response that is neither a list nor a record. */
interface CsvTable<Value> {
  readonly row: Type<object>;
  /** The name of the file. */
  readonly name: string;
  rowsOf(value: Value): Iterable<object> | AsyncIterable<object>;
}

/** `toInput` must set every field of the input. */
const requestShape =
  (nulls: RequestShape<unknown>['nulls']) =>
  <Dto extends object, RequestBody extends object>(
    body: Type<Dto>,
    toInput: (dto: Dto) => RequestBody & EveryField<NoInfer<RequestBody>>,
    options: Pick<RequestShape<RequestBody>, 'ignoresUnknown'> = {},
  ): RequestShape<RequestBody> => ({ body, nulls, toInput: (dto) => toInput(dto as Dto), ...options });

/** A body in which null means "absent" (creation). */
export const createShape = requestShape('absent');

/** A body of PUT or PATCH, in which null clears a field. */
export const updateShape = requestShape('clear');

/** A response. `toResponse` must return exactly the fields of the documented class. */
export function responseShape<Value, Response extends object>(
  body: Type<Response>,
  toResponse: (value: Value) => Response,
): ResponseShape<Value> {
  return { body, toResponse };
}

/** The class of a response whose fields hold values of other classes. */
export function wrapperOf(name: string, fields: Readonly<Record<string, FieldDescription>>): Type<object> {
  const wrapper = { [name]: class {} }[name] as Type<object>;
  for (const [field, options] of Object.entries(fields))
    ResponseField(options)(wrapper.prototype as object, field);
  return wrapper;
}

/** A response with one record under a name. `as` names its class in the interface description. */
export function singleOf<Value, Item extends object>(
  name: string,
  item: Type<Item>,
  toItem: (value: Value) => Item,
  { as = `Single${item.name}`, description = `The ${name}` } = {},
): ResponseShape<Value> {
  const body = wrapperOf(as, { [name]: { type: item, description } });
  return { body, toResponse: (value) => ({ [name]: toItem(value) }) };
}

/** The shape of a reference in the running variant. */
export function resolveShape<Shape>(moduleRef: ModuleRef, reference: ShapeReference): Shape {
  const shapes = moduleRef.get<Record<string, Shape>>(reference.shapes, { strict: false });
  const shape = shapes[reference.name];
  if (shape === undefined) throw new Error(`${reference.shapes.name} has no shape ${reference.name}`);
  return shape;
}

/**
 * The abstract class of a domain's shapes. It is the injection token for the shapes of the running variant.
 */
export type ShapesToken<Shapes> = abstract new (...args: never[]) => Shapes;

/** Refers to one shape of a domain. */
export interface ShapeReference {
  readonly shapes: ShapesToken<object>;
  readonly name: string;
  /** The body may be absent. */
  readonly optional?: boolean;
  /** The body may also be a form. */
  readonly form?: boolean;
}
