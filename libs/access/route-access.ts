import { Injectable, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants';
import { Reflector } from '@nestjs/core';
import {
  ACCESS_METADATA,
  PUBLIC_METADATA,
  RECORDS_METADATA,
  type PathRecord,
} from '@app/core/access/access.decorators';
import { PRIVILEGES, type Operation, type Privilege } from '@app/core/access/privileges';
import type { ServedRoute } from '@app/core/access/route-table';
import { accessStatement, type RouteAddress } from './access.queries';

/** What a route asks of its caller. */
export interface RouteAccess {
  readonly address: RouteAddress;
  /** Identifying path parameters in the order of the access query. */
  readonly parameters: readonly string[];
  readonly statement: ReturnType<typeof accessStatement>;
}

/** A route that asks for a credential. */
export interface GuardedRoute extends RouteAccess {
  readonly operation: Operation;
  readonly privilege: Privilege;
}

type Route = RouteAccess & Partial<GuardedRoute>;

/** What each route says of itself by its decorators, read once. */
@Injectable()
export class RouteAccesses {
  private readonly byHandler = new WeakMap<object, Route>();

  constructor(private readonly reflector: Reflector) {}

  /** Undefined for a public route. */
  of(controller: Type<unknown>, handler: ServedRoute['handler']): GuardedRoute | undefined {
    const known = this.byHandler.get(handler);
    const route = known ?? this.read(controller, handler);
    if (known === undefined) this.byHandler.set(handler, route);
    return isGuarded(route) ? route : undefined;
  }

  private read(controller: Type<unknown>, handler: ServedRoute['handler']): Route {
    const operation = this.reflector.get<Operation | undefined>(ACCESS_METADATA, handler);
    const isPublic = this.reflector.get<string | undefined>(PUBLIC_METADATA, handler) !== undefined;
    if (operation === undefined && !isPublic) throw new Error('A route is neither @Access nor @PublicRoute');
    const path = [controller, handler]
      .map((target) => String(Reflect.getMetadata(PATH_METADATA, target) ?? ''))
      .join('/');
    const declared =
      this.reflector.getAllAndMerge<Record<string, PathRecord>>(RECORDS_METADATA, [controller, handler]) ??
      {};
    const records = Object.entries(declared)
      .filter(([parameter]) => path.includes(`:${parameter}`))
      .map(([parameter, record]) => ({ ...record, parameter }));
    const address = {
      organisation: path.includes(':organisationId'),
      user: path.includes(':userId'),
      records,
    };
    return {
      ...(operation !== undefined && { operation, privilege: PRIVILEGES[operation] }),
      address,
      parameters: [
        ...(address.organisation ? ['organisationId'] : []),
        ...(address.user ? ['userId'] : []),
        ...records.map(({ parameter }) => parameter),
      ],
      statement: accessStatement(address),
    };
  }
}

const isGuarded = (route: Route): route is GuardedRoute => route.operation !== undefined;
