import type { ReferenceObject, SchemaObject, SchemaObjectType, SchemasObject } from 'openapi3-ts/oas31';
import { type Class, describedFields, type FieldDescription } from '@app/platform/dto/described-fields';

export const referenceTo = ({ name }: Class) => ({ $ref: `#/components/schemas/${name}` });

/**
 * The schemas of classes, and of the classes that their fields hold, by name. Throws
 * for two classes of one name.
 */
export function schemasOf(models: readonly Class[]): SchemasObject {
  const written = new Map<string, Class>();
  const schemas: SchemasObject = {};
  const add = (model: Class): void => {
    const other = written.get(model.name);
    if (other === model) return;
    if (other !== undefined) throw new Error(`Two classes of the interface have the name ${model.name}`);
    written.set(model.name, model);
    const fields = [...describedFields(model)];
    for (const [, { type }] of fields) [type].flat().filter(isModel).forEach(add);
    const required = fields.filter(([, field]) => field.required !== false).map(([name]) => name);
    schemas[model.name] = {
      type: 'object',
      properties: Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(field)])),
      ...(required.length > 0 && { required }),
    };
  };
  models.forEach(add);
  return schemas;
}

/**
 * The schema of a field. OpenAPI 3.0 ignores other words beside a reference, so the reference
 * is in `allOf` or `anyOf`.
 */
function schemaOf(field: FieldDescription): SchemaObject | ReferenceObject {
  const { type = 'string', required: _, nullable = false, enum: choices, ...words } = field;
  const values = choices && { enum: [...choices] };
  if (Array.isArray(type)) {
    const [item] = type as readonly [FieldDescription['type']];
    return { ...words, type: 'array', items: schemaOf({ type: item, ...values }) };
  }
  if (isModel(type)) {
    if (nullable) return { ...words, anyOf: [referenceTo(type), { type: 'null' }] };
    return Object.keys(words).length === 0 ? referenceTo(type) : { ...words, allOf: [referenceTo(type)] };
  }
  const name = type as SchemaObjectType;
  return { ...words, ...values, type: nullable ? [name, 'null'] : name };
}

const isModel = (type: unknown): type is Class => typeof type === 'function';
