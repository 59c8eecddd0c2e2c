import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { RouteAccesses, type GuardedRoute } from '@app/access/route-access';
import { pathIdentifier } from '@app/core/access/request-address';
import { RouteTable, type ServedRoute } from '@app/core/access/route-table';
import { NotFound, type ApiError } from '@app/core/errors/api-error';
import { methodNotAllowed } from '@app/core/http/error.filter';
import { REFUSALS_METADATA } from '@app/core/openapi/refuses.decorator';

/** What a method and a path lead to. */
export type ToldRoute =
  /** Nothing that asks who calls. */
  | {
      readonly served: ServedRoute | undefined;
      readonly answer: ApiError | undefined;
      readonly guarded?: never;
    }
  | {
      readonly served: ServedRoute;
      readonly guarded: GuardedRoute;
      readonly identifiers: readonly (number | null)[];
    };

/** Finds the route of a path as the service does when it is asked for it. */
@Injectable()
export class ToldRoutes {
  constructor(
    private readonly routes: RouteTable,
    private readonly accesses: RouteAccesses,
    private readonly reflector: Reflector,
  ) {}

  of(method: string, target: string): ToldRoute {
    const path = this.pathOf(target);
    const allowed = this.routes.methodsOf(path);
    if (allowed.length === 0) return { served: undefined, answer: new NotFound('Resource') };
    const match = this.routes.match(method, path);
    if (match === undefined) return { served: undefined, answer: methodNotAllowed(allowed) };
    const { route: served } = match;
    const parameters = decoded(match.parameters);
    if (parameters === undefined) return { served: undefined, answer: new NotFound('Resource') };
    const guarded = this.accesses.of(served.controller, served.handler);
    if (guarded === undefined) return { served, answer: this.foreignArea(served) };
    const identifiers = guarded.parameters.map((name) => pathIdentifier(parameters[name]));
    return { served, guarded, identifiers };
  }

  /** Without its query; below `/v1` where it is served there alone, as the description writes paths. */
  private pathOf(target: string): string {
    const path = (/^[^?#]*/.exec(target)?.[0] ?? '').replaceAll(/\/{2,}/g, '/');
    const isWhole = /^\/v1(\/|$)/i.test(path) || this.routes.methodsOf(path).length > 0;
    return isWhole ? path : `/v1${path}`;
  }

  /** What a public route answers whoever asks: that its area is not here. */
  private foreignArea({ handler }: ServedRoute): ApiError | undefined {
    const declared = this.reflector.get<readonly ApiError[] | undefined>(REFUSALS_METADATA, handler);
    return declared?.find(({ status }) => status === 501);
  }
}

/** Undefined where the encoding is broken: such a path names nothing. */
function decoded(parameters: Readonly<Record<string, string>>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      Object.entries(parameters).map(([name, text]) => [name, decodeURIComponent(text)]),
    );
  } catch {
    return undefined;
  }
}
