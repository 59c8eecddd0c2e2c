import 'reflect-metadata';

/** A documented reply class. */
export type Class = abstract new (...args: never[]) => object;

/** What @ApiProperty leaves on a prototype; the package exports neither the keys nor this type. */
const PROPERTY_LIST = 'swagger/apiModelPropertiesArray';
const PROPERTY = 'swagger/apiModelProperties';

interface DocumentedProperty {
  type?: unknown;
  isArray?: boolean;
}

/**
 * The csv columns of a documented reply class, in the order of its fields: one for each scalar and each list
 * of scalars, dotted ones for the fields of nested documented classes (`organisation.id`, and `users.email`
 * for a list of users), one for a free-form object. The header hangs on the class alone, so it is the same
 * for an empty list, for null fields and for whatever the rows hold.
 */
export function csvColumnsOf(shape: Class): string[] {
  const columns = columnsBelow(shape, []);
  if (columns.length === 0) throw new Error(`${shape.name} documents no field, so it has no csv columns`);
  return columns;
}

function columnsBelow(shape: Class, ancestors: readonly Class[]): string[] {
  if (ancestors.includes(shape)) throw new Error(`${shape.name} contains itself, so it has no csv columns`);
  return documentedFields(shape).flatMap((field) => {
    const nested = nestedClass(shape, field).type;
    const below = nested === undefined ? [] : columnsBelow(nested, [...ancestors, shape]);
    return below.length === 0 ? [field] : below.map((column) => `${field}.${column}`);
  });
}

/** The fields that a class documents, in their order. */
export function documentedFields(shape: Class): string[] {
  const listed: unknown = Reflect.getMetadata(PROPERTY_LIST, shape.prototype as object);
  if (!Array.isArray(listed)) return [];
  return listed.filter((name) => typeof name === 'string').map((name) => name.replace(/^:/, ''));
}

/** The class of a field or of its items; built-in ones such as String document no field and stay leaves. */
export function nestedClass(shape: Class, field: string): { type: Class | undefined; isList: boolean } {
  const property = Reflect.getMetadata(PROPERTY, shape.prototype as object, field) as
    DocumentedProperty | undefined;
  const stated = property?.type;
  // `type: () => X` is a function called "type"; a class is called by its own name.
  const type: unknown =
    typeof stated === 'function' && stated.name === 'type' ? (stated as () => unknown)() : stated;
  const item: unknown = Array.isArray(type) ? type[0] : type;
  return {
    type: typeof item === 'function' ? (item as Class) : undefined,
    isList: property?.isArray === true || Array.isArray(type),
  };
}
