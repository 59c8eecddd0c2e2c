import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { isSuspended } from '@app/security/access/access.queries';
import { customerOf } from '@app/security/access/customers';
import { accessState } from '@app/security/context/access-state';
import { digestOf, isSecret } from '@app/security/secrets/digest';
import { unknownUsernameLink, usernameLinkEnded } from './username-links.types';

const STATE = prepared<LinkState>(`
  SELECT r.id, r.user_id AS "userId", u.organisation_id AS "organisationId",
    ${customerOf('u.organisation_id')} AS "customerId",
    r.ended_at IS NULL AND r.expires_at > now() AND NOT ${isSuspended('u.organisation_id')} AS open
  FROM recovery_requests r JOIN users u ON u.id = r.user_id WHERE r.token_digest = $1 AND r.kind = 'name'`);

interface LinkState {
  readonly id: number;
  readonly userId: number;
  readonly organisationId: number;
  readonly customerId: number;
  readonly open: boolean;
}

/**
 * Checks the token before the body is read, because errors of the path come first.
 * Only the transaction decides.
 */
@Injectable()
export class UsernameLinkTokenGuard implements CanActivate {
  constructor(private readonly queries: DatabaseReads) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const token = String(context.switchToHttp().getRequest<Request>().params['token']);
    const state = isSecret(token) ? await this.queries.row(STATE, [digestOf(token)]) : undefined;
    if (state === undefined) throw unknownUsernameLink();
    const response = context.switchToHttp().getResponse<Response>();
    await accessState(response).tellOrganisation?.(state.organisationId);
    if (!state.open) throw usernameLinkEnded();
    const { context: ctx } = accessState(response);
    const { id, userId, organisationId, customerId } = state;
    ctx.identify({ userId, organisationId, customerId, credential: { kind: 'username_link', id } });
    return true;
  }
}
