import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { isSuspended } from '@app/security/access/access.queries';
import { accessState } from '@app/security/context/access-state';
import { digestOf, isSecret } from '@app/security/secrets/digest';
import { recoveryExpired, unknownRecovery } from './recovery.types';

const STATE = prepared(`
  SELECT r.id, 'reset_token' AS kind, r.user_id AS "userId", u.organisation_id AS "organisationId",
    r.ended_at IS NULL AND r.expires_at > now() AND NOT ${isSuspended('u.organisation_id')} AS open,
    u.deleted_at IS NOT NULL AS unknown
  FROM recovery_requests r JOIN users u ON u.id = r.user_id WHERE r.token_digest = $1
  UNION ALL
  SELECT n.id, 'name_restoration', n.user_id, u.organisation_id,
    n.ended_at IS NULL AND n.expires_at > now() AND NOT ${isSuspended('u.organisation_id')}, false
  FROM name_restorations n JOIN users u ON u.id = n.user_id WHERE n.token_digest = $1`);

interface TokenState {
  readonly id: number;
  readonly kind: 'reset_token' | 'name_restoration';
  readonly userId: number;
  readonly organisationId: number;
  readonly open: boolean;
  /**
   * A reset token of a deleted user is unknown; a restoration of a name is expired (rule recovery 25).
   */
  readonly unknown: boolean;
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
    const state = await this.queries.row<TokenState>(STATE, [digestOf(token)]);
    if (state === undefined || state.unknown) throw unknownRecovery();
    const response = context.switchToHttp().getResponse<Response>();
    await accessState(response).tellOrganisation?.(state.organisationId);
    if (!state.open) throw recoveryExpired();
    const { context: ctx } = accessState(response);
    const { id, kind, userId, organisationId } = state;
    ctx.identify({ userId, organisationId, credential: { kind, id } });
    return true;
  }
}
