import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parseAllDocuments } from 'yaml';

/** A schema of a CustomResourceDefinition. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

interface Definition {
  readonly kind: string;
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly schema: { readonly openAPIV3Schema: Schema };
    }[];
  };
}

/** The same schema without room for words that it does not know, which a cluster would drop. */
function closed(schema: Schema): object {
  if (schema['x-kubernetes-int-or-string'] === true) return { type: ['integer', 'string'] };
  const { properties, items, additionalProperties } = schema;
  const isOpen =
    properties === undefined ||
    additionalProperties !== undefined ||
    schema['x-kubernetes-preserve-unknown-fields'] === true;
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, closed(part)])),
    }),
    ...(items !== undefined && { items: closed(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: closed(additionalProperties) }),
    ...(!isOpen && { additionalProperties: false }),
  };
}

/**
 * What the definitions of a folder (*.yaml, as `kubectl get crd --output yaml` writes them) say against a
 * manifest; undefined where none is for its kind.
 */
export function complaintsOf(
  folder: string,
  manifest: { readonly apiVersion: string; readonly kind: string },
): string[] | undefined {
  const definitions = readdirSync(folder)
    .filter((file) => /\.ya?ml$/.test(file))
    .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), 'utf8')))
    .map((document) => document.toJS() as Definition | null)
    .filter((definition) => definition?.kind === 'CustomResourceDefinition');
  const [group, version] = manifest.apiVersion.split('/');
  const schema = definitions
    .filter((definition) => definition?.spec.group === group && definition?.spec.names.kind === manifest.kind)
    .flatMap((definition) => definition?.spec.versions ?? [])
    .find(({ name }) => name === version)?.schema.openAPIV3Schema;
  if (schema === undefined) return undefined;
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(
    closed(schema),
  );
  validate(manifest);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
