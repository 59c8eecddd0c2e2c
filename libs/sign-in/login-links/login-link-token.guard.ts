import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PublicCalls } from '@app/security/access/public-calls';
import { accessState } from '@app/security/context/access-state';
import { LinkLoginsService } from './link-logins.service';

/**
 * Counts calls without the token of an open link, by address. Whoever has one is served whatever the address
 * has used up, because a panel sends the links of all its users from one (rule login-links 15).
 */
@Injectable()
export class LoginLinkTokenGuard implements CanActivate {
  constructor(
    private readonly logins: LinkLoginsService,
    private readonly calls: PublicCalls,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const [request, response] = context.getArgs<[Request, Response]>();
    const { context: ctx } = accessState(response);
    const { token } = (request.body ?? {}) as { readonly token?: unknown };
    if (!(await this.logins.isRight(token, ctx.ip))) await this.calls.count(request);
    return true;
  }
}
