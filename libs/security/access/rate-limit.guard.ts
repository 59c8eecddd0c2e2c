import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '@app/platform/process/settings';
import { PublicCalls } from './public-calls';
import { RouteTable } from './route-table';

/** Routes that work without the database, so that a slow database does not delay them. */
const READS_NO_DATA = /^\/(metrics|\.well-known)(\/|$)/;

/** Limits calls of public routes, except health. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly routes: RouteTable,
    private readonly settings: Settings,
    private readonly calls: PublicCalls,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (!this.settings.rateLimit) return true;
    // Returns no promise for requests without a limit, which are many: awaiting one costs time.
    if (this.routes.of(context.getHandler() as never).asksForCredential) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const path = request.path.toLowerCase();
    if (path.startsWith('/health/')) return true;
    const counted = READS_NO_DATA.test(path) ? this.calls.countBriefly(request) : this.calls.count(request);
    return counted.then(() => true);
  }
}
