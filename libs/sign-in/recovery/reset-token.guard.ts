import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { isSuspended } from '@app/security/access/access.queries';
import { customerOf } from '@app/security/access/customers';
import { accessState } from '@app/security/context/access-state';
import { digestOf, isSecret } from '@app/security/secrets/digest';
import { recoveryExpired, unknownRecovery } from './recovery.types';

const STATE = prepared<TokenState>(`
  SELECT r.id, r.user_id AS "userId", u.organisation_id AS "organisationId",
    ${customerOf('u.organisation_id')} AS "customerId",
    r.ended_at IS NULL AND r.expires_at > now() AND NOT ${isSuspended('u.organisation_id')} AS open
  FROM recovery_requests r JOIN users u ON u.id = r.user_id AND u.deleted_at IS NULL
  WHERE r.token_digest = $1 AND r.kind = 'reset'`);

interface TokenState {
  readonly id: number;
  readonly userId: number;
  readonly organisationId: number;
  readonly customerId: number;
  readonly open: boolean;
}

/**
 * Checks the token before the body is read, because errors of the path come before validation
 * (rule rights 34, rule recovery 7). The reset checks it again, because only its transaction can decide.
 */
@Injectable()
export class ResetTokenGuard implements CanActivate {
  constructor(private readonly queries: DatabaseReads) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const token = String(context.switchToHttp().getRequest<Request>().params['token']);
    if (!isSecret(token)) throw unknownRecovery();
    const state = await this.queries.row(STATE, [digestOf(token)]);
    if (state === undefined) throw unknownRecovery();
    const response = context.switchToHttp().getResponse<Response>();
    await accessState(response).tellOrganisation?.(state.organisationId);
    if (!state.open) throw recoveryExpired();
    const { context: ctx } = accessState(response);
    const { id, userId, organisationId, customerId } = state;
    ctx.identify({ userId, organisationId, customerId, credential: { kind: 'reset_token', id } });
    return true;
  }
}
