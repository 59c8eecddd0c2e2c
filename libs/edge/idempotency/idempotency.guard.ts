import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { requestState } from '@app/platform/context/request-state';
import { RouteTable } from '@app/security/access/route-table';

/** Stands after the access guard: rights are judged anew for each request. */
@Injectable()
export class IdempotencyGuard implements CanActivate {
  constructor(private readonly routes: RouteTable) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { keeper } = requestState(context.switchToHttp().getResponse<Response>());
    // Returns no promise for the many requests without a key: to await one costs time.
    if (keeper === undefined || !this.routes.of(context.getHandler() as never).isRepeatable) return true;
    return keeper.admit().then(() => true);
  }
}
