import { Injectable, type OnApplicationBootstrap, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { VersionedRecord } from '@app/platform/context/addressed-version';
import { ApiError, NotFound } from '@app/platform/errors/api-error';
import { groupOfPattern, groupsOf } from '@app/platform/http/route-groups';
import {
  ACCESS_METADATA,
  ASKED_METADATA,
  IGNORES_KEY_METADATA,
  OWN_JUDGEMENT_METADATA,
  PUBLIC_METADATA,
  RECORDS_METADATA,
  type RouteWords,
  type TokenOf,
  VERSIONED_METADATA,
  WORDS_METADATA,
} from './access.decorators';
import {
  accessStatements,
  type AccessStatements,
  askingStatement,
  type RouteAddress,
} from './access.queries';
import { type Operation, type Privilege, PRIVILEGES } from './privileges';
import type { PathRecord } from './access.types';

/** Beginnings of the paths that have no prefix `v1`. */
const UNVERSIONED = ['health/', 'metrics', 'access/v1/', '.well-known/', 'account/'];

/** The same as Nest's `exclude`. */
export const UNVERSIONED_ROUTES = UNVERSIONED.map((path) => (path.endsWith('/') ? `${path}*path` : path));

/** A controller's method. */
type RouteHandler = (...args: never[]) => unknown;

/** Data of a route with `@Access` that the guard needs. */
export interface GuardedRoute {
  readonly operation: Operation;
  readonly privilege: Privilege;
  readonly address: RouteAddress;
  /** Path parameters with identifiers, in the order of the access query. */
  readonly parameters: readonly string[];
  readonly statements: AccessStatements;
  /** Only for routes that ask about a token. */
  readonly asking?: { readonly tokenOf: TokenOf; readonly statement: ReturnType<typeof askingStatement> };
}

/** A route that the process serves. */
export interface ServedRoute {
  readonly method: string;
  /** Full path with `:parameters`. */
  readonly path: string;
  /** Matches the paths that the route serves. */
  readonly pattern: RegExp;
  readonly handler: RouteHandler;
  readonly handlerName: string;
  /** This and `guarded` are undefined for a public route. */
  readonly operation: Operation | undefined;
  readonly guarded: GuardedRoute | undefined;
  /** Why a public route needs no credential. */
  readonly publicBecause: string | undefined;
  readonly judgesCredential: boolean;
  /** Whether its 401 asks for a credential, not for a password or a code. */
  readonly asksForCredential: boolean;
  /** Whether it takes `Idempotency-Key`: a POST that changes something with a credential. */
  readonly isRepeatable: boolean;
  readonly words: RouteWords;
}

/**
 * Every route of the running variant, read from Nest's registry. A route with neither `@Access` nor `@PublicRoute` stops
 * the start. Only this file reads Nest's own metadata (`@nestjs/common/constants`): check the two keys at an upgrade.
 */
@Injectable()
export class RouteTable implements OnApplicationBootstrap {
  routes: readonly ServedRoute[] = [];
  /** By handler; null for a public route. */
  private readonly access = new Map<RouteHandler, GuardedRoute | null>();
  private readonly repeatable = new Set<RouteHandler>();
  private readonly challenging = new Set<RouteHandler>();
  private readonly unknown: { readonly method: string; readonly pattern: RegExp }[] = [];
  /** By group, which keeps the look-up of every request short. */
  private paths: ReadonlyMap<string, readonly ServedPath[]> = new Map();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onApplicationBootstrap(): void {
    this.routes = this.discovery
      .getControllers()
      .flatMap((wrapper) => this.routesOf(wrapper.metatype as Type<object>));
    this.paths = servedPaths(this.routes);
    const undeclared = this.routes.filter((route) => !route.guarded && !route.publicBecause);
    if (undeclared.length > 0) {
      const names = undeclared.map((route) => `${route.method} ${route.path}`).join(', ');
      throw new Error(`Routes without @Access or @PublicRoute: ${names}`);
    }
    for (const { handler, guarded, isRepeatable, asksForCredential } of this.routes) {
      this.access.set(handler, guarded ?? null);
      if (isRepeatable) this.repeatable.add(handler);
      if (asksForCredential) this.challenging.add(handler);
    }
  }

  /** The access rule of a handler; null if it is public. */
  accessOf(handler: RouteHandler): GuardedRoute | null {
    const access = this.access.get(handler);
    if (access === undefined) throw new Error(`${handler.name} is not in the route table`);
    return access;
  }

  /** See {@link ServedRoute.isRepeatable}. */
  isRepeatable(handler: RouteHandler): boolean {
    return this.repeatable.has(handler);
  }

  /** See {@link ServedRoute.asksForCredential}. */
  asksForCredential(handler: RouteHandler | undefined): boolean {
    return handler !== undefined && this.challenging.has(handler);
  }

  /** Answers 404 instead of 405 to a method of a path that serves others (decisions.md section 9). */
  treatAsUnknown(method: string, path: string): void {
    this.unknown.push({ method, pattern: patternOf(path) });
  }

  /** Why no route serves a request: 404 for an unknown path, 405 for another method; undefined if one does. */
  refusalOf(method: string, path: string): ApiError | undefined {
    if (this.served(path).some(({ methods }) => methods.includes(method) || methods.includes('ALL')))
      return undefined;
    const allowed = this.methodsOf(path);
    const isUnknown = this.unknown.some((route) => route.method === method && route.pattern.test(path));
    if (allowed.length === 0 || isUnknown) return new NotFound('Resource');
    const headers = { Allow: allowed.join(', ') };
    return new ApiError(405, 'METHOD_NOT_ALLOWED', 'Method not allowed', { headers });
  }

  /** Whether the route of a request judges the credential itself: see `@JudgesCredential`. */
  judgesCredential(method: string, path: string): boolean {
    return this.methodsOf(path).includes('ALL') && this.match(method, path)?.route.judgesCredential === true;
  }

  /** The methods of a path; none if it is unknown. */
  methodsOf(path: string): string[] {
    return [...new Set(this.served(path).flatMap(({ methods }) => methods))].sort();
  }

  private served(path: string): ServedPath[] {
    const { own, open } = groupsOf(path);
    const candidates = [...(this.paths.get(own) ?? []), ...(this.paths.get(open) ?? [])];
    return candidates.filter(({ pattern }) => pattern.test(path));
  }

  /** The route of a request with its parameters, still encoded. GET routes also serve HEAD. */
  match(
    method: string,
    path: string,
  ): { route: ServedRoute; parameters: Record<string, string> } | undefined {
    const methods = new Set([method, 'ALL', ...(method === 'HEAD' ? ['GET'] : [])]);
    for (const route of this.routes) {
      const found = methods.has(route.method) ? route.pattern.exec(path) : null;
      if (found !== null) return { route, parameters: { ...found.groups } };
    }
    return undefined;
  }

  private routesOf(controller: Type<object>): ServedRoute[] {
    const prototype = controller.prototype as Record<string, RouteHandler>;
    const [base = ''] = pathsOf(controller);
    return this.scanner.getAllMethodNames(prototype).flatMap((handlerName) => {
      const handler = prototype[handlerName];
      const method = handler && this.reflector.get<RequestMethod | undefined>(METHOD_METADATA, handler);
      if (handler === undefined || method === undefined) return [];
      const guarded = this.guardedRoute(controller, handler);
      const judgesCredential =
        this.reflector.get<boolean | undefined>(OWN_JUDGEMENT_METADATA, handler) ?? false;
      const declared = {
        method: RequestMethod[method],
        handler,
        handlerName,
        operation: guarded?.operation,
        guarded,
        publicBecause: this.reflector.get<string | undefined>(PUBLIC_METADATA, handler),
        judgesCredential,
        asksForCredential: guarded !== undefined || judgesCredential,
        isRepeatable:
          method === RequestMethod.POST &&
          guarded !== undefined &&
          this.reflector.get<boolean | undefined>(IGNORES_KEY_METADATA, handler) !== true,
        words: this.reflector.get<RouteWords>(WORDS_METADATA, handler),
      };
      return pathsOf(handler)
        .map((path) => this.fullPath(base, path))
        .map((path) => ({ ...declared, path, pattern: patternOf(path) }));
    });
  }

  private guardedRoute(controller: Type<object>, handler: RouteHandler): GuardedRoute | undefined {
    const operation = this.reflector.get<Operation | undefined>(ACCESS_METADATA, handler);
    if (operation === undefined) return undefined;
    const path = [controller, handler].flatMap(pathsOf).join('/');
    const declared =
      this.reflector.getAllAndMerge<Record<string, PathRecord>>(RECORDS_METADATA, [controller, handler]) ??
      {};
    const records = Object.entries(declared)
      .filter(([parameter]) => path.includes(`:${parameter}`))
      .map(([parameter, record]) => ({
        ...record,
        parameter,
        isBeforeUser: path.indexOf(`:${parameter}`) < path.indexOf(':userId'),
      }));
    const organisation = path.includes(':organisationId');
    const user = path.includes(':userId');
    const address = { organisation, user, records, version: this.versionOf(controller, handler) };
    const parameters = [
      ...(organisation ? ['organisationId'] : []),
      ...(user ? ['userId'] : []),
      ...records.map(({ parameter }) => parameter),
    ];
    const privilege = PRIVILEGES[operation];
    const guarded = { operation, privilege, address, parameters, statements: accessStatements(address) };
    const tokenOf = this.reflector.get<TokenOf | undefined>(ASKED_METADATA, handler);
    return tokenOf === undefined
      ? guarded
      : { ...guarded, asking: { tokenOf, statement: askingStatement(address) } };
  }

  /** The controller's versioned record, if the route addresses that record itself. */
  private versionOf(controller: Type<object>, handler: RouteHandler): VersionedRecord | undefined {
    const record = this.reflector.get<VersionedRecord | undefined>(VERSIONED_METADATA, controller);
    if (record === undefined) return undefined;
    const parameter = `:${record.parameter}`;
    const isOneOfAPath = pathsOf(controller).some((path) => path.split('/').includes(parameter));
    const isOwn = (path: string): boolean => (isOneOfAPath ? path === '/' : path.endsWith(parameter));
    return pathsOf(handler).some(isOwn) ? record : undefined;
  }

  private fullPath(base: string, path: string): string {
    const local = `/${base}/${path}`.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1');
    return UNVERSIONED.some((path) => local.startsWith(`/${path}`)) ? local : `/v1${local}`;
  }
}

/** A path with its methods. */
interface ServedPath {
  readonly pattern: RegExp;
  readonly methods: readonly string[];
}

function servedPaths(routes: readonly ServedRoute[]): ReadonlyMap<string, readonly ServedPath[]> {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of routes) {
    const ofPath = methods.get(path) ?? new Set();
    methods.set(path, ofPath.add(method));
    if (method === 'GET') ofPath.add('HEAD');
  }
  const paths = new Map<string, ServedPath[]>();
  for (const [path, ofPath] of methods) {
    const group = groupOfPattern(path);
    const served = { pattern: patternOf(path), methods: [...ofPath].sort() };
    paths.set(group, [...(paths.get(group) ?? []), served]);
  }
  return paths;
}

/** The paths that a controller or a handler declares. */
function pathsOf(target: object): string[] {
  const path = Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined;
  return path === undefined ? [] : [path].flat();
}

/** Like Express, ignores case and a trailing slash. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:([A-Za-z0-9]+)/g, '(?<$1>[^/]+)')}/?$`, 'i');
