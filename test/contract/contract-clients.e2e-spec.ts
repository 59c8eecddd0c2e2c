import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Variant, VARIANTS } from '../../qa/variants';
import type { InterfaceDocument } from '../support/generators/interface';

const documentOf = (variant: Variant): InterfaceDocument =>
  JSON.parse(
    readFileSync(join(__dirname, `../../docs/openapi-${variant.toLowerCase()}.json`), 'utf8'),
  ) as InterfaceDocument;

/** The names of the schemas by what they hold in the end, whatever is named on the way. */
function namesByContent({ components }: InterfaceDocument): Map<string, string[]> {
  const whole = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(whole);
    if (typeof schema !== 'object' || schema === null) return schema;
    const name = (schema as { $ref?: string }).$ref?.split('/').at(-1);
    if (name !== undefined) return whole(components.schemas[name]);
    return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, whole(part)]));
  };
  const names = new Map<string, string[]>();
  for (const [name, schema] of Object.entries(components.schemas)) {
    const content = JSON.stringify(whole(schema));
    names.set(content, [...(names.get(content) ?? []), name]);
  }
  return names;
}

it('docs/openapi-*.json name operations and schemas that the variants have alike in the same way', () => {
  const [first, ...others] = VARIANTS.map(documentOf);
  for (const other of others) {
    const differing: string[] = [];
    for (const [path, methods] of Object.entries(first?.paths ?? {})) {
      for (const [method, operation] of Object.entries(methods)) {
        const same = other.paths[path]?.[method];
        if (same !== undefined && same.operationId !== operation.operationId)
          differing.push(`${method} ${path}`);
      }
    }
    const names = namesByContent(other);
    for (const [content, known] of namesByContent(first as InterfaceDocument)) {
      const named = names.get(content);
      if (named !== undefined && !known.some((name) => named.includes(name))) {
        differing.push(`${known.join()} is ${named.join()}`);
      }
    }
    expect(differing).toEqual([]);
    expect(names.size).toBeGreaterThan(40);
  }
});
