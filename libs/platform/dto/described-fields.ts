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

/**
 * A register of what decorators declare about the fields of classes. A class inherits
 * the fields of its ancestors.
 */
export function fieldRegister<Declared>() {
  const byPrototype = new WeakMap<object, ReadonlyMap<string, Declared>>();
  const below = (prototype: object | null): ReadonlyMap<string, Declared> =>
    prototype === null
      ? new Map()
      : (byPrototype.get(prototype) ?? below(Object.getPrototypeOf(prototype) as object | null));
  return {
    /** The fields of a class, in the order of declaration. */
    of: (model: Class) => below(model.prototype as object),
    declare:
      (declared: Declared): PropertyDecorator =>
      (prototype, name) =>
        void byPrototype.set(prototype, new Map(below(prototype)).set(String(name), declared)),
  };
}

const DESCRIPTIONS = fieldRegister<FieldDescription>();

export const describedFields = DESCRIPTIONS.of;

/** Adds a field of a request or a response to the interface description. */
export const Documented = DESCRIPTIONS.declare;
