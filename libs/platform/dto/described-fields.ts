import type { SchemaObject, SchemaObjectType } from 'openapi3-ts/oas31';

/** A class whose fields are declared, by `@ResponseField` or by a field decorator of a request. */
export type Class = abstract new (...args: never[]) => object;

/** What a field holds: a type of JSON Schema, a class, or a list of one of them. */
type FieldType = SchemaObjectType | Class;

/** A declared field of a request or a response, as the interface description shows it. */
export interface FieldDescription extends Omit<SchemaObject, 'type' | 'required' | 'enum'> {
  /** Default: a text. */
  readonly type?: FieldType | readonly [FieldType];
  /** Default: true. */
  readonly required?: boolean;
  readonly nullable?: boolean;
  /** The allowed values of the field, or of the items of a list. */
  readonly enum?: readonly unknown[];
}

const byPrototype = new WeakMap<object, ReadonlyMap<string, FieldDescription>>();

/** A class inherits the fields of its ancestors. */
const below = (prototype: object | null): ReadonlyMap<string, FieldDescription> =>
  prototype === null
    ? new Map()
    : (byPrototype.get(prototype) ?? below(Object.getPrototypeOf(prototype) as object | null));

/** The fields of a class, in the order of declaration. */
export const describedFields = (model: Class): ReadonlyMap<string, FieldDescription> =>
  below(model.prototype as object);

/** Adds a field of a request or a response to the interface description. */
export const Documented =
  (description: FieldDescription): PropertyDecorator =>
  (prototype, name) =>
    void byPrototype.set(prototype, new Map(below(prototype)).set(String(name), description));
