import type { OpenAPIObject } from 'openapi3-ts/oas31';

interface Schema {
  readonly type?: unknown;
  readonly anyOf?: unknown;
  readonly $ref?: string;
}

const REFERENCE = /"#\/components\/schemas\/(\w+)"\}(,\{"type":"null"\})?/g;

/** Keys whose values come from clients and contain no schema. */
const VALUES: ReadonlySet<string> = new Set(['value', 'example', 'default', 'enum']);

/**
 * The same document in OpenAPI 3.0.3, for generators without 3.1. Translates only what
 * `npm run docs` uses: `null` as one of several types, `null` as an alternative to a schema, and the
 * identifier of the licence.
 */
export function asOpenApi30(document: OpenAPIObject): OpenAPIObject {
  const { schemas = {} } = document.components ?? {};
  // In 3.0 a reference is nullable only if its schema is. If others use that schema too, a
  // second, nullable one is added.
  const references = [...JSON.stringify(document).matchAll(REFERENCE)];
  const shared = new Set(references.flatMap(([, name, orNull]) => (orNull === undefined ? [name] : [])));
  const nullableName = (name: string) => (shared.has(name) ? `Nullable${name}` : name);
  const nullable = references.flatMap(([, name = '', orNull]) =>
    orNull === undefined ? [] : [[nullableName(name), { ...schemas[name], nullable: true }] as const],
  );

  const translated = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(translated);
    if (part === null || typeof part !== 'object') return part;
    const entries = Object.entries(withNullable(part));
    return Object.fromEntries(
      entries.map(([key, inner]) => [key, VALUES.has(key) ? inner : translated(inner)]),
    );
  };
  const withNullable = ({ anyOf, ...schema }: Schema): object => {
    if (Array.isArray(schema.type)) {
      return { ...schema, type: schema.type.find((name) => name !== 'null') as unknown, nullable: true };
    }
    if (!Array.isArray(anyOf)) return schema;
    const [{ $ref = '' }] = anyOf as [Schema, Schema];
    const allOf = [{ $ref: $ref.replace(/\w+$/, nullableName) }];
    return { ...schema, type: 'object', nullable: true, allOf };
  };

  const license = document.info.license && { name: document.info.license.name };
  return translated({
    ...document,
    openapi: '3.0.3',
    info: { ...document.info, license },
    components: { ...document.components, schemas: { ...schemas, ...Object.fromEntries(nullable) } },
  }) as OpenAPIObject;
}
