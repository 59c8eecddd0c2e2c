import { Injectable, RequestMethod, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { ApplicationConfig, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ACCESS_METADATA, PUBLIC_METADATA } from './access.decorators';
import type { Operation } from './privileges';

/** One route that the running process serves. */
export interface ServedRoute {
  readonly method: string;
  /** Full path with `:parameters`, as the interface description writes it but for the braces. */
  readonly path: string;
  readonly controller: Type<object>;
  readonly handler: (...args: never[]) => unknown;
  readonly handlerName: string;
  /** The operation that the route declares; undefined for a public route. */
  readonly operation: Operation | undefined;
  /** Why the route asks for no credential; undefined for all others. */
  readonly publicBecause: string | undefined;
}

/** A route that serves a path, with what the path says for its parameters, still encoded. */
export interface MatchedRoute {
  readonly route: ServedRoute;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Every route of the running variant, read from Nest's own registry. A route that says neither what operation
 * it is nor why it is public stops the start: nothing is ever served by oversight.
 */
@Injectable()
export class RouteTable implements OnApplicationBootstrap {
  private table: readonly ServedRoute[] = [];

  /** By the number of segments: every request asks for its path. */
  private paths: ReadonlyMap<number, readonly ServedPath[]> = new Map();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly config: ApplicationConfig,
  ) {}

  onApplicationBootstrap(): void {
    this.table = this.discovery
      .getControllers()
      .flatMap((wrapper) => this.routesOf(wrapper.metatype as Type<object>));
    this.paths = servedPaths(this.table);
    const undeclared = this.table.filter((route) => !route.operation && !route.publicBecause);
    if (undeclared.length > 0) {
      const names = undeclared.map((route) => `${route.method} ${route.path}`).join(', ');
      throw new Error(`Routes without @Access or @PublicRoute: ${names}`);
    }
  }

  get routes(): readonly ServedRoute[] {
    return this.table;
  }

  /** The methods that a path is served with, none for an unknown path. */
  methodsOf(path: string): string[] {
    const served = (this.paths.get(segmentsOf(path)) ?? []).filter(({ pattern }) => pattern.test(path));
    if (served.length === 1) return served.flatMap(({ methods }) => methods);
    return [...new Set(served.flatMap(({ methods }) => methods))].sort();
  }

  /** The route that serves a path by a method; a HEAD is served by what serves GET. */
  match(method: string, path: string): MatchedRoute | undefined {
    const methods = new Set([method, 'ALL', ...(method === 'HEAD' ? ['GET'] : [])]);
    for (const route of this.table) {
      const found = methods.has(route.method) ? patternOf(route.path).exec(path) : null;
      if (found !== null) return { route, parameters: { ...found.groups } };
    }
    return undefined;
  }

  private routesOf(controller: Type<object>): ServedRoute[] {
    const prototype = controller.prototype as Record<string, (...args: never[]) => unknown>;
    const base = pathsOf(controller)[0] ?? '';
    return this.scanner.getAllMethodNames(prototype).flatMap((handlerName) => {
      const handler = prototype[handlerName];
      if (handler === undefined) return [];
      const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
      if (method === undefined) return [];
      return pathsOf(handler).map((path) => ({
        method: RequestMethod[method],
        path: this.fullPath(base, path),
        controller,
        handler,
        handlerName,
        operation: Reflect.getMetadata(ACCESS_METADATA, handler) as Operation | undefined,
        publicBecause: Reflect.getMetadata(PUBLIC_METADATA, handler) as string | undefined,
      }));
    });
  }

  private fullPath(base: string, path: string): string {
    const local = `/${base}/${path}`.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1');
    const options = this.config.getGlobalPrefixOptions();
    const excluded = options.exclude?.some((route) => route.pathRegex.test(local)) ?? false;
    const prefix = this.config.getGlobalPrefix();
    return excluded || prefix === '' ? local : `/${prefix}${local}`;
  }
}

/** A path with the methods that it is served with. */
interface ServedPath {
  readonly pattern: RegExp;
  readonly methods: readonly string[];
}

function servedPaths(routes: readonly ServedRoute[]): ReadonlyMap<number, readonly ServedPath[]> {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of routes) {
    const ofPath = methods.get(path) ?? new Set();
    methods.set(path, ofPath.add(method));
    if (method === 'GET') ofPath.add('HEAD');
  }
  const paths = new Map<number, ServedPath[]>();
  for (const [path, ofPath] of methods) {
    const segments = segmentsOf(path);
    const served = { pattern: patternOf(path), methods: [...ofPath].sort() };
    paths.set(segments, [...(paths.get(segments) ?? []), served]);
  }
  return paths;
}

/** How many segments a path has; a slash at its end makes none. */
function segmentsOf(path: string): number {
  let segments = path.endsWith('/') ? 0 : 1;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) segments++;
  return segments;
}

const pathsOf = (target: object): string[] => {
  const path = Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined;
  return path === undefined ? [] : [path].flat();
};

/** Express matches paths without regard to case and to a slash at the end. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:([A-Za-z0-9]+)/g, '(?<$1>[^/]+)')}/?$`, 'i');
