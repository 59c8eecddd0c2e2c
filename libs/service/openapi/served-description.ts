import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIObject } from 'openapi3-ts/oas31';
import type { Settings } from '@app/config/settings';
import { publicPath } from '@app/platform/http/public-path';
import type { ServedRoute } from '@app/security/access/route-table';
import { introductionOf } from './introduction';

/** In the sources and in a build alike, which holds the files that stood there when it was made. */
const FOLDER = join(__dirname, '../../../docs');

/** The operations of a description, by path and method. */
type Paths = Readonly<Record<string, Readonly<Record<string, { readonly tags?: readonly string[] }>>>>;

/** What operations refer to, by kind and name. */
type Components = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** What is read of a printed description; the rest goes on as it is. */
interface PrintedDescription extends Omit<OpenAPIObject, 'paths' | 'components'> {
  readonly paths: Paths;
  readonly components: Components;
}

/**
 * The description of a service: the printed one of its variant, with the routes that it serves, its address
 * and the introduction under its settings. Errors that a setting rules out stay (rule checking 5).
 */
export function servedDescription(settings: Settings, routes: readonly ServedRoute[]): PrintedDescription {
  const file = join(FOLDER, `openapi-${settings.variant.toLowerCase()}.json`);
  const printed = JSON.parse(readFileSync(file, 'utf8')) as PrintedDescription;
  const paths = servedPaths(printed.paths, routes);
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const tags = new Set(operations.flatMap((operation) => operation.tags ?? []));
  return {
    ...printed,
    info: { ...printed.info, description: introductionOf(paths, settings) },
    servers: printed.servers?.map((server) => ({ ...server, url: publicPath(settings) || server.url })),
    tags: printed.tags?.filter(({ name }) => tags.has(name)),
    paths,
    components: reachedFrom(paths, printed.components),
  };
}

/** Where a description has a route. OpenAPI has no "any method": it lists GET. */
export const describedAt = ({ method, path }: Pick<ServedRoute, 'method' | 'path'>) => ({
  path: path.replaceAll(/:(\w+)/g, '{$1}'),
  method: method === 'ALL' ? 'get' : method.toLowerCase(),
});

/** The paths and methods that have a route. */
function servedPaths(printed: Paths, routes: readonly ServedRoute[]): Paths {
  const served = new Set(
    routes.map((route) => {
      const { path, method } = describedAt(route);
      return `${method} ${path}`;
    }),
  );
  return Object.fromEntries(
    Object.entries(printed).flatMap(([path, methods]) => {
      const kept = Object.entries(methods).filter(([method]) => served.has(`${method} ${path}`));
      return kept.length > 0 ? [[path, Object.fromEntries(kept)]] : [];
    }),
  );
}

const REFERENCE = /"#\/components\/(\w+)\/([^"]+)"/g;

/** The components that the paths refer to, also through other components; all ways to authenticate. */
export function reachedFrom(paths: object, components: Components): Components {
  const reached = new Set<object>();
  const follow = (part: object): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      const found = components[kind]?.[name];
      if (found === undefined || reached.has(found)) continue;
      reached.add(found);
      follow(found);
    }
  };
  follow(paths);
  return Object.fromEntries(
    Object.entries(components).map(([kind, named]) => [
      kind,
      kind === 'securitySchemes'
        ? named
        : Object.fromEntries(Object.entries(named).filter(([, part]) => reached.has(part))),
    ]),
  );
}
