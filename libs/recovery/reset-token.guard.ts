import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { isSuspended } from '@app/access/suspended';
import { identifyActor } from '@app/core/actor/actor-context';
import { prepared, PreparedQueries } from '@app/core/database/prepared-queries';
import { digestOf } from '@app/core/secrets/digest';
import { RecoveryExpired, UnknownRecovery } from './recovery.errors';

const STATE = prepared(`
  SELECT r.id, 'reset_token' AS kind, r.user_id AS "userId",
    r.ended_at IS NULL AND r.expires_at > now() AND NOT ${isSuspended('u.organisation_id')} AS open,
    u.deleted_at IS NOT NULL AS unknown
  FROM recovery_requests r JOIN users u ON u.id = r.user_id WHERE r.token_digest = $1
  UNION ALL
  SELECT n.id, 'name_restoration', n.user_id,
    n.ended_at IS NULL AND n.expires_at > now() AND NOT ${isSuspended('u.organisation_id')}, false
  FROM name_restorations n JOIN users u ON u.id = n.user_id WHERE n.token_digest = $1`);

interface TokenState {
  readonly id: number;
  readonly kind: 'reset_token' | 'name_restoration';
  readonly userId: number;
  readonly open: boolean;
  /** A user who is deleted has no reset tokens; the way back to a name is expired then (decisions.md section 11). */
  readonly unknown: boolean;
}

/** As `newSecret` makes them; anything else was never a token. */
const TOKEN = /^[0-9a-f]{64}$/;

/**
 * Looks at the token before the body is read: what the path addresses comes before validation (decisions.md
 * section 2). The reset itself asks again, since only its transaction can decide.
 */
@Injectable()
export class ResetTokenGuard implements CanActivate {
  constructor(private readonly queries: PreparedQueries) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const token = String(context.switchToHttp().getRequest<Request>().params['token']);
    if (!TOKEN.test(token)) throw new UnknownRecovery();
    const state = await this.queries.row<TokenState>(STATE, [digestOf(token)]);
    if (state === undefined || state.unknown) throw new UnknownRecovery();
    if (!state.open) throw new RecoveryExpired();
    identifyActor({ userId: state.userId, credentialKind: state.kind, credentialId: state.id });
    return true;
  }
}
