import { Injectable } from '@nestjs/common';
import { declarationOf } from '@app/platform/dto/route-declaration';
import { ApiError, NotFound } from '@app/platform/errors/api-error';
import { pathIdentifier } from '@app/security/access/path-identifier';
import { type GuardedRoute, RouteTable, type ServedRoute } from '@app/security/access/route-table';

/** The result of resolving a method and a path. */
export type ResolvedRoute =
  /** A public route, or no route. `answer` is the error response, if any. */
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

/** Resolves a method and a path in the same way as for a real request. */
@Injectable()
export class RouteResolver {
  constructor(private readonly routes: RouteTable) {}

  of(method: string, target: string): ResolvedRoute {
    const path = this.pathOf(target);
    const match = this.routes.match(method, path);
    if (match === undefined) return { served: undefined, answer: this.routes.refusalOf(method, path) };
    const { route: served } = match;
    const parameters = decoded(match.parameters);
    if (parameters === undefined) return { served: undefined, answer: new NotFound('Resource') };
    const { guarded } = served;
    if (guarded === undefined) return { served, answer: foreignArea(served) };
    const identifiers = guarded.parameters.map((name) => pathIdentifier(parameters[name]));
    return { served, guarded, identifiers };
  }

  /** Drops the query, and adds `/v1` to a path that is known only with it. */
  private pathOf(target: string): string {
    const path = (/^[^?#]*/.exec(target)?.[0] ?? '').replaceAll(/\/{2,}/g, '/');
    const isWhole = /^\/v1(\/|$)/i.test(path) || this.routes.methodsOf(path).length > 0;
    return isWhole ? path : `/v1${path}`;
  }
}

/** The 501 of a public route for another area of the panel. */
const foreignArea = ({ handler }: ServedRoute): ApiError | undefined =>
  declarationOf(handler).refusals?.find(
    (refusal): refusal is ApiError => refusal instanceof ApiError && refusal.status === 501,
  );

/** Undefined if the percent-encoding is invalid: such a path is unknown. */
function decoded(parameters: Readonly<Record<string, string>>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      Object.entries(parameters).map(([name, text]) => [name, decodeURIComponent(text)]),
    );
  } catch {
    return undefined;
  }
}
