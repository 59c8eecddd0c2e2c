import { Injectable, type CanActivate, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Settings } from '@app/core/settings/settings';
import { TokenRequired } from './invitations.errors';

/** RFC 9745 wants a date: 1 January 2024, before both descriptions, which mark the route deprecated from the start. */
const DEPRECATED_SINCE = '@1704067200';

/** Braces are no characters of a URI reference (RFC 8288 wants one), hence encoded. */
const SUCCESSOR = '</v1/registerInvitation/%7Btoken%7D>; rel="successor-version"';

/** Marks every answer of the registration without a token as deprecated, refusals by any guard included. */
@Injectable()
export class DeprecationHeaders implements NestMiddleware {
  use(_request: Request, response: Response, next: NextFunction): void {
    response.setHeader('Deprecation', DEPRECATED_SINCE);
    response.setHeader('Link', SUCCESSOR);
    next();
  }
}

/** What the registration without a token asks for can be guessed: so it is off unless the operator wants it. */
@Injectable()
export class TokenlessRegistrationGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(): boolean {
    if (this.settings.allowTokenlessRegistration) return true;
    throw new TokenRequired();
  }
}
