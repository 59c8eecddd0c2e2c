import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Variant, VARIANTS } from '../../../qa/variants';
import { writtenOut } from '../../../tools/docs/written-out.cjs';
import type { DescribedOperation, InterfaceDocument, Schema } from './interface';
import { IS_FULL } from './sampled';

/*
 * Which routes the matrix of rights and the long tests of every route try in a variant. In the first one, and
 * with FULL=1, all of them. In another one those that the first lacks, or whose parameters, bodies or
 * responses it describes in another way: the others have the handler and the privilege of the first
 * (test/contract/own-routes.variant-b.e2e-spec.ts). The contract tries all routes in each variant.
 */

const [FIRST] = VARIANTS;

const printed = new Map<Variant, InterfaceDocument>();

/** The printed description of a variant, which test/contract/openapi.e2e-spec.ts compares with the served. */
function printedDescription(variant: Variant): InterfaceDocument {
  const known = printed.get(variant);
  if (known !== undefined) return known;
  const file = join(__dirname, `../../../docs/openapi-${variant.toLowerCase()}.json`);
  const document = writtenOut(JSON.parse(readFileSync(file, 'utf8')) as object) as InterfaceDocument;
  printed.set(variant, document);
  return document;
}

/** The routes that such a test tries, by name: `PUT /v1/organisations/:organisationId`. */
export function triedRoutes(variant: Variant, isFull = IS_FULL): ReadonlySet<string> {
  const document = printedDescription(variant);
  const isTried = (path: string, verb: string): boolean =>
    isFull || variant === FIRST || !isOfFirst(document, path, verb);
  const names = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((verb) => isTried(path, verb))
      .map((verb) => `${verb.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  return new Set(names);
}

/** Whether the first variant describes the operation alike. */
function isOfFirst(document: InterfaceDocument, path: string, verb: string): boolean {
  const first = printedDescription(FIRST);
  const operation = document.paths[path]?.[verb];
  const other = first.paths[path]?.[verb];
  return (
    operation !== undefined &&
    other !== undefined &&
    isDeepStrictEqual(contractOf(document, operation), contractOf(first, other))
  );
}

/** What an operation takes and answers, with each schema in the place of its name. */
const contractOf = (
  document: InterfaceDocument,
  { parameters, requestBody, responses }: DescribedOperation,
): unknown => withSchemas(document, { parameters, requestBody, responses }, []);

/** Within itself a schema stays a name. */
function withSchemas(document: InterfaceDocument, part: unknown, within: readonly string[]): unknown {
  if (Array.isArray(part)) return part.map((item) => withSchemas(document, item, within));
  if (typeof part !== 'object' || part === null) return part;
  const name = (part as Schema).$ref?.split('/').at(-1);
  if (name !== undefined && !within.includes(name))
    return withSchemas(document, document.components.schemas[name], [...within, name]);
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, withSchemas(document, value, within)]),
  );
}
