import { Injectable, type OnApplicationBootstrap, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { VersionedRecord } from '@app/platform/context/addressed-version';
import type { PreparedStatement } from '@app/platform/database/pg-reads/statement';
import { declarationOf, type RouteDeclaration } from '@app/platform/dto/route-declaration';
import { ApiError, NotFound } from '@app/platform/errors/api-error';
import type { TokenOf } from './access.decorators';
import { type AccessRow, accessStatement, introspectionStatement, type RouteAddress } from './access.queries';
import { type Operation, type Privilege, PRIVILEGES } from './privileges';

/** Prefixes of paths outside `v1`. */
const UNVERSIONED = ['health/', 'metrics', '.well-known/', 'account/'];

/** {@link UNVERSIONED} in the form of Nest's `exclude`. */
export const UNVERSIONED_ROUTES = UNVERSIONED.map((path) => (path.endsWith('/') ? `${path}*path` : path));

type RouteHandler = (...args: never[]) => unknown;

/** Data of a route with `@Access` that the guard needs. */
export interface GuardedRoute {
  readonly operation: Operation;
  readonly privilege: Privilege;
  readonly address: RouteAddress;
  /** Path parameters with identifiers, in the order of the access query. */
  readonly parameters: readonly string[];
  readonly statement: PreparedStatement<AccessRow>;
  /** Only for routes that introspect a token. */
  readonly introspection?: {
    readonly introspectedTokenOf: TokenOf;
    readonly statement: ReturnType<typeof introspectionStatement>;
  };
}

/** A route that the process serves, with what its decorators declare. */
export interface ServedRoute extends RouteDeclaration {
  readonly method: string;
  /** Full path with `:parameters`. */
  readonly path: string;
  /** Matches the paths that the route serves. */
  readonly pattern: RegExp;
  readonly controller: Type<object>;
  readonly handler: RouteHandler;
  readonly handlerName: string;
  readonly guarded: GuardedRoute | undefined;
  /** Whether its 401 means a missing credential, not a wrong password or code. */
  readonly asksForCredential: boolean;
  /** Whether the route takes `Idempotency-Key`: a POST that changes something with a credential. */
  readonly isRepeatable: boolean;
}

/**
 * Every route of the running variant, read from Nest's registry. The start fails for a route with neither
 * `@Access` nor `@PublicRoute`. Only this file reads Nest's own metadata (`@nestjs/common/constants`): check
 * the two keys at an upgrade.
 */
@Injectable()
export class RouteTable implements OnApplicationBootstrap {
  routes: readonly ServedRoute[] = [];
  private readonly byHandler = new Map<RouteHandler, ServedRoute>();
  private readonly unknown: { readonly method: string; readonly pattern: RegExp }[] = [];
  /** By number of segments, so that each request searches few routes. */
  private readonly byLength = new Map<number, ServedRoute[]>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onApplicationBootstrap(): void {
    this.routes = this.discovery
      .getControllers()
      .flatMap((wrapper) => this.routesOf(wrapper.metatype as Type<object>));
    const undeclared = this.routes.filter((route) => !route.guarded && !route.publicBecause);
    if (undeclared.length > 0) {
      const names = undeclared.map((route) => `${route.method} ${route.path}`).join(', ');
      throw new Error(`Routes without @Access or @PublicRoute: ${names}`);
    }
    for (const route of this.routes) {
      this.byHandler.set(route.handler, route);
      this.byLength.set(lengthOf(route.path), [...this.candidates(route.path), route]);
    }
  }

  /**
   * The route of a handler. A handler with several paths has several routes, which differ only in the path.
   */
  of(handler: RouteHandler): ServedRoute {
    const route = this.byHandler.get(handler);
    if (route === undefined) throw new Error(`${handler.name} is not in the route table`);
    return route;
  }

  /**
   * Answers 404 instead of 405 to this method, although other methods of the path have routes
   * (rule answers 22).
   */
  treatAsUnknown(method: string, path: string): void {
    this.unknown.push({ method, pattern: patternOf(path) });
  }

  /** The refusal of a request without a route: 404 for an unknown path, 405 for another method. */
  refusalOf(method: string, path: string): ApiError {
    const allowed = this.methodsOf(path);
    const isUnknown = this.unknown.some((route) => route.method === method && route.pattern.test(path));
    if (allowed.length === 0 || isUnknown) return new NotFound('Resource');
    const headers = { Allow: allowed.join(', ') };
    return new ApiError(405, 'METHOD_NOT_ALLOWED', 'Method not allowed', { headers });
  }

  /**
   * The methods that OPTIONS of a path names. Undefined for an unknown path, and for a path whose route takes
   * all methods: the route answers.
   */
  namedByOptions(path: string): string[] | undefined {
    const methods = this.methodsOf(path);
    return methods.length === 0 || methods.includes('ALL') ? undefined : methods;
  }

  /** Whether a 204 to a preflight request would grant access: see `@ChecksCredentialItself`. */
  grantsByOptions(path: string): boolean {
    return this.match('OPTIONS', path)?.route.checksCredentialItself === true;
  }

  /** The methods of a path; none if it is unknown. */
  methodsOf(path: string): string[] {
    const methods = this.candidates(path)
      .filter(({ pattern }) => pattern.test(path))
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    return [...new Set(methods)].sort();
  }

  /** The route of a request with its parameters, still encoded. GET routes also serve HEAD. */
  match(method: string, path: string) {
    const served = method === 'HEAD' ? 'GET' : method;
    for (const route of this.candidates(path)) {
      const found = route.method === served || route.method === 'ALL' ? route.pattern.exec(path) : null;
      if (found !== null) return { route, parameters: found.groups ?? {} };
    }
    return undefined;
  }

  private candidates(path: string): readonly ServedRoute[] {
    return this.byLength.get(lengthOf(path)) ?? [];
  }

  private routesOf(controller: Type<object>): ServedRoute[] {
    const prototype = controller.prototype as Record<string, RouteHandler>;
    const [base = ''] = pathsOf(controller);
    return this.scanner.getAllMethodNames(prototype).flatMap((handlerName) => {
      const handler = prototype[handlerName];
      const method = handler && (Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined);
      if (handler === undefined || method === undefined) return [];
      const declared = declarationOf(handler);
      const guarded = guardedRoute(controller, handler);
      const route = {
        ...declared,
        method: RequestMethod[method],
        controller,
        handler,
        handlerName,
        guarded,
        asksForCredential: guarded !== undefined || declared.checksCredentialItself === true,
        isRepeatable: method === RequestMethod.POST && guarded !== undefined && declared.ignoresKey !== true,
      };
      return pathsOf(handler)
        .map((path) => fullPath(base, path))
        .map((path) => ({ ...route, path, pattern: patternOf(path) }));
    });
  }
}

function guardedRoute(controller: Type<object>, handler: RouteHandler): GuardedRoute | undefined {
  const { operation, introspectedTokenOf, records: own } = declarationOf(handler);
  if (operation === undefined) return undefined;
  const path = [controller, handler].flatMap(pathsOf).join('/');
  const records = Object.entries({ ...declarationOf(controller).records, ...own })
    .filter(([parameter]) => path.includes(`:${parameter}`))
    .map(([parameter, record]) => ({
      ...record,
      parameter,
      isBeforeUser: path.indexOf(`:${parameter}`) < path.indexOf(':userId'),
    }));
  const organisation = path.includes(':organisationId');
  const user = path.includes(':userId');
  const address = { organisation, user, records, version: versionOf(controller, handler) };
  const parameters = [
    ...(organisation ? ['organisationId'] : []),
    ...(user ? ['userId'] : []),
    ...records.map(({ parameter }) => parameter),
  ];
  const privilege = PRIVILEGES[operation];
  const guarded = { operation, privilege, address, parameters, statement: accessStatement(address) };
  return introspectedTokenOf === undefined
    ? guarded
    : { ...guarded, introspection: { introspectedTokenOf, statement: introspectionStatement(address) } };
}

/** The controller's versioned record, if the route addresses that record itself. */
function versionOf(controller: Type<object>, handler: RouteHandler): VersionedRecord | undefined {
  const { version } = declarationOf(controller);
  if (version === undefined) return undefined;
  const parameter = `:${version.parameter}`;
  const isOneOfAPath = pathsOf(controller).some((path) => path.split('/').includes(parameter));
  const isOwn = (path: string): boolean => (isOneOfAPath ? path === '/' : path.endsWith(parameter));
  return pathsOf(handler).some(isOwn) ? version : undefined;
}

function fullPath(base: string, path: string): string {
  const local = `/${base}/${path}`.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1');
  return UNVERSIONED.some((beginning) => local.startsWith(`/${beginning}`)) ? local : `/v1${local}`;
}

/** The paths that a controller or a handler declares. */
function pathsOf(target: object): string[] {
  const path = Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined;
  return path === undefined ? [] : [path].flat();
}

/** Like Express, ignores case and a trailing slash. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:([A-Za-z0-9]+)/g, '(?<$1>[^/]+)')}/?$`, 'i');

/** The number of segments of a path. */
const lengthOf = (path: string): number => path.replace(/\/$/, '').split('/').length;
