import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { NotFound } from '@app/platform/errors/api-error';
import { pathIdentifier } from '@app/security/access/path-identifier';

/**
 * Answers 404 for a path without an identifier before query and body are validated (rule rights 23,
 * rule requests 42). For a record that may be new, so that its id addresses none.
 */
export const identifierGuard = (parameter: string, record: string): CanActivate => ({
  canActivate(context: ExecutionContext): boolean {
    const id = context.switchToHttp().getRequest<Request<Record<string, string>>>().params[parameter];
    if (pathIdentifier(id) === null) throw new NotFound(record);
    return true;
  },
});
