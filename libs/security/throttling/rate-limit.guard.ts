import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ClientAddresses } from '@app/platform/http/client-addresses';
import { OWN_JUDGEMENT_METADATA, PUBLIC_METADATA } from '../access/access.decorators';
import { subscriberOf } from '@app/platform/http/ip-address';
import { Settings } from '@app/platform/process/settings';
import { Throttler } from './throttler';

/** Calls without a token from one address, or one /64 of IPv6, within a minute (decisions.md section 5). */
const MAX_PUBLIC_CALLS = 60;
const MINUTE = 60;

/** Limits calls of the interface's public routes; health, metrics and documentation are free. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
    private readonly throttler: Throttler,
    private readonly addresses: ClientAddresses,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (!this.settings.rateLimit) return true;
    // Returns no promise for the many requests without a limit: to await one costs time.
    const handler = context.getHandler();
    if (this.reflector.get<string>(PUBLIC_METADATA, handler) === undefined) return true;
    if (this.reflector.get<boolean>(OWN_JUDGEMENT_METADATA, handler)) return true;
    const request = context.switchToHttp().getRequest<Request>();
    return request.path.toLowerCase().startsWith('/v1/') ? this.count(request) : true;
  }

  private async count(request: Request): Promise<boolean> {
    const subscriber = subscriberOf(this.addresses.of(request));
    await this.throttler.reserve([{ bucket: ['public call', subscriber], most: MAX_PUBLIC_CALLS }], MINUTE);
    return true;
  }
}
