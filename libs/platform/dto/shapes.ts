import 'reflect-metadata';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { Type } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { Documented } from './described-fields';

/** A class whose fields are `@Shown`. */
export type Class = abstract new (...args: never[]) => object;

const fieldsOf = new WeakMap<object, ReadonlyMap<string, ApiPropertyOptions>>();

/**
 * A field of a response. It decides the csv columns and the orders of lists, and passes its options to the interface
 * description, which decides nothing.
 */
export const Shown =
  (options: ApiPropertyOptions = {}): PropertyDecorator =>
  (prototype, name) => {
    const inherited = fieldsOf.get(prototype) ?? fieldsOf.get(Object.getPrototypeOf(prototype) as object);
    fieldsOf.set(prototype, new Map(inherited).set(String(name), options));
    Documented(options)(prototype, name);
  };

/** A field that some readers do not see. */
export const ShownToSome = (options: ApiPropertyOptions): PropertyDecorator =>
  Shown({ ...options, required: false } as ApiPropertyOptions);

/** The fields of a class, in their order. */
export const shownFields = (shape: Class): string[] => [
  ...(fieldsOf.get(shape.prototype as object) ?? new Map<string, ApiPropertyOptions>()).keys(),
];

/** The class in the `type` of a field or of its items. Built-in classes such as String have no shown fields. */
export function nestedClass(shape: Class, field: string): { type: Class | undefined; isList: boolean } {
  const { type, isArray } = (fieldsOf.get(shape.prototype as object)?.get(field) ?? {}) as {
    readonly type?: unknown;
    readonly isArray?: boolean;
  };
  const item: unknown = Array.isArray(type) ? type[0] : type;
  return {
    type: typeof item === 'function' ? (item as Class) : undefined,
    isList: isArray === true || Array.isArray(type),
  };
}

/** Reads one request body of the running variant. */
export interface RequestShape<RequestBody> {
  /** The DTO class: its field decorators validate and document the body. */
  readonly body: Type<object>;
  /** The meaning of null: absent on creation; on PUT and PATCH it clears a nullable field. */
  readonly nulls: 'absent' | 'clear';
  /** Unknown fields are ignored under `STRICT_BODY` too, as a standard asks. */
  readonly ignoresUnknown?: boolean;
  /** Maps the names of the wire to those of the domain. Takes a valid instance of `body`. */
  toInput(dto: object): RequestBody;
}

/** Every field of an input, including optional ones: a mapper sets undefined to leave one out. */
export type EveryField<Input> = { [Field in keyof Required<Input>]: Input[Field] };

/** Writes one response of the running variant, field by field. */
export interface ResponseShape<Value> {
  /** The documented class of the response. */
  readonly body: Type<object>;
  /** The csv rows of a response in which csvFormOf finds no table. */
  readonly csv?: CsvTable<Value>;
  toResponse(value: Value): object;
}

/** The csv form of a response that is neither a list nor a record. */
interface CsvTable<Value> {
  /** The documented class of a row. */
  readonly row: Type<object>;
  /** Names the file. */
  readonly name: string;
  rowsOf(value: Value): Iterable<object> | AsyncIterable<object>;
}

/** A body whose null fields mean "absent" (creation); `toInput` must name every field of the input. */
export function createShape<Dto extends object, RequestBody extends object>(
  body: Type<Dto>,
  toInput: (dto: Dto) => RequestBody & EveryField<NoInfer<RequestBody>>,
  options: Pick<RequestShape<RequestBody>, 'ignoresUnknown'> = {},
): RequestShape<RequestBody> {
  return { body, nulls: 'absent', toInput: (dto) => toInput(dto as Dto), ...options };
}

/** A body of PUT or PATCH, whose null fields are cleared; `toInput` must name every field of the input. */
export function updateShape<Dto extends object, RequestBody extends object>(
  body: Type<Dto>,
  toInput: (dto: Dto) => RequestBody & EveryField<NoInfer<RequestBody>>,
): RequestShape<RequestBody> {
  return { body, nulls: 'clear', toInput: (dto) => toInput(dto as Dto) };
}

/** A response; `toResponse` must return the documented class's fields, all of them and no others. */
export function responseShape<Value, Response extends object>(
  body: Type<Response>,
  toResponse: (value: Value) => Response,
): ResponseShape<Value> {
  return { body, toResponse };
}

/** The class of a response whose fields hold values of other classes. */
export function wrapperOf(name: string, fields: Readonly<Record<string, ApiPropertyOptions>>): Type<object> {
  const wrapper = { [name]: class {} }[name] as Type<object>;
  for (const [field, options] of Object.entries(fields)) Shown(options)(wrapper.prototype as object, field);
  return wrapper;
}

/** A response with one record under a name; `as` names its class in the interface description. */
export function singleOf<Value, Item extends object>(
  name: string,
  item: Type<Item>,
  toItem: (value: Value) => Item,
  { as = `Single${item.name}`, description = `The ${name}` } = {},
): ResponseShape<Value> {
  const body = wrapperOf(as, { [name]: { type: item, description } });
  return { body, toResponse: (value) => ({ [name]: toItem(value) }) };
}

/** The running variant's shape for a reference. */
export function resolveShape<Shape>(moduleRef: ModuleRef, reference: ShapeReference): Shape {
  const shapes = moduleRef.get<Record<string, Shape>>(reference.shapes, { strict: false });
  const shape = shapes[reference.name];
  if (shape === undefined) throw new Error(`${reference.shapes.name} has no shape ${reference.name}`);
  return shape;
}

/** The abstract class of a domain's shapes: the injection token of the running variant's. */
export type ShapesToken<Shapes> = abstract new (...args: never[]) => Shapes;

/** Names one shape of a domain. */
export interface ShapeReference {
  readonly shapes: ShapesToken<object>;
  readonly name: string;
  /** A body that may be left out. */
  readonly optional?: boolean;
  /** A body that may be a form too. */
  readonly form?: boolean;
}
