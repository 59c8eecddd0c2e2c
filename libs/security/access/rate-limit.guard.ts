import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { OWN_JUDGEMENT_METADATA, PUBLIC_METADATA } from './access.decorators';
import { Settings } from '@app/platform/process/settings';
import { PublicCalls } from './public-calls';

/** Routes that read nothing of the database: a slow one does not keep them back. */
const READS_NO_DATA = /^\/(metrics|\.well-known)(\/|$)/;

/** Limits calls of public routes; health is free. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
    private readonly calls: PublicCalls,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (!this.settings.rateLimit) return true;
    // Returns no promise for the many requests without a limit: to await one costs time.
    const handler = context.getHandler();
    if (this.reflector.get<string>(PUBLIC_METADATA, handler) === undefined) return true;
    if (this.reflector.get<boolean>(OWN_JUDGEMENT_METADATA, handler)) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const path = request.path.toLowerCase();
    if (path.startsWith('/health/')) return true;
    const counted = READS_NO_DATA.test(path) ? this.calls.countBriefly(request) : this.calls.count(request);
    return counted.then(() => true);
  }
}
