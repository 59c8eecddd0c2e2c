import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { requestState } from '@app/platform/context/request-state';
import { RouteTable } from '@app/security/access/route-table';

/** Runs after the access guard, so that a repeated request needs the same rights. */
@Injectable()
export class IdempotencyGuard implements CanActivate {
  constructor(private readonly routes: RouteTable) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { idempotentRequest } = requestState(context.getArgByIndex<Response>(1));
    // Most requests have no key. They get no promise, because awaiting one costs time.
    if (idempotentRequest === undefined || !this.routes.of(context.getHandler() as never).isRepeatable)
      return true;
    return idempotentRequest.start().then(() => true);
  }
}
