import { isDeepStrictEqual } from 'node:util';
import type { ComponentsObject } from 'openapi3-ts/oas31';
import { HEADER_COMPONENTS } from './response-headers';

type Components = Required<ComponentsObject>;
type Kind = 'examples' | 'parameters' | 'responses';

/**
 * Parts that several operations have in common. The document contains each part once;
 * the operations refer to it.
 */
export class SharedParts {
  readonly components: Pick<Components, Kind | 'headers'> = {
    headers: HEADER_COMPONENTS,
    examples: {},
    parameters: {},
    responses: {},
  };

  /** A reference to the part. Throws if the name already belongs to another part. */
  refer(kind: Kind, name: string, part: object): { readonly $ref: string } {
    const parts: Record<string, object> = this.components[kind];
    const known = (parts[name] ??= part);
    if (!isDeepStrictEqual(known, part)) throw new Error(`Two ${kind} have the name ${name}`);
    return { $ref: `#/components/${kind}/${name}` };
  }
}
