import type { ModuleRef } from '@nestjs/core';
import type { Settings } from '@app/config/settings';
import { declarationOf } from '@app/platform/dto/route-declaration';
import {
  type RequestShape,
  resolveShape,
  type ResponseShape,
  type ShapeReference,
} from '@app/platform/dto/shapes';
import { ApiError } from '@app/platform/errors/api-error';
import type { ListShape } from '@app/platform/lists/list-request';
import type { ServedRoute } from '@app/security/access/route-table';
import { describedAt } from '@app/service/openapi/served-description';

/** A complete body, and what it is an example of. */
export interface BodyExample {
  readonly summary: string;
  readonly value: unknown;
}

/** A successful request of an operation and its response. */
interface ExchangeExample {
  readonly request?: BodyExample;
  readonly response?: BodyExample;
}

/** The examples of a variant by operation, such as `GET /organisations`. */
export type InterfaceExamples = Readonly<Record<string, ExchangeExample>>;

export type DescribedRoute = ReturnType<typeof describedRoute>;

/** A route with its shapes in the running variant, and what its decorators declare under the settings. */
export function describedRoute(
  route: ServedRoute,
  moduleRef: ModuleRef,
  examples: InterfaceExamples,
  settings: Settings,
) {
  const shape = <Shape>(reference: ShapeReference | undefined) =>
    reference && resolveShape<Shape>(moduleRef, reference);
  const place = describedAt(route);
  return {
    ...route,
    place,
    // Without `@Tag`, the chapter is the domain of the operation.
    tags: declarationOf(route.controller).tags ?? route.operation?.split('.').slice(0, 1),
    example: examples[`${route.method} ${place.path.replace(/^\/v1/, '')}`] ?? {},
    body: shape<RequestShape<unknown>>(route.body),
    bodyIsForm: route.body?.form ?? false,
    bodyIsOptional: route.body?.optional ?? false,
    response: shape<ResponseShape<unknown>>(route.response),
    list: shape<ListShape<never, string, string>>(route.list),
    isVersioned: route.guarded?.address.version !== undefined,
    query: route.query ?? [],
    refusals: [
      ...(route.refusals ?? []).flatMap(
        (refusal) => (refusal instanceof ApiError ? refusal : refusal(settings)) ?? [],
      ),
      ...(shape<readonly ApiError[]>(route.variantRefusals) ?? []),
    ],
  };
}
