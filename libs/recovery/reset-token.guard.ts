import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { identifyActor } from '@app/core/actor/actor-context';
import { prepared, PreparedQueries } from '@app/core/database/prepared-queries';
import { digestOf } from '@app/core/secrets/digest';
import { RecoveryExpired, UnknownRecovery } from './recovery.errors';

const STATE = prepared(`
  SELECT r.id, r.user_id AS "userId", r.ended_at IS NULL AND r.expires_at > now() AS open, u.deleted_at IS NOT NULL AS deleted
  FROM recovery_requests r JOIN users u ON u.id = r.user_id WHERE r.token_digest = $1`);

interface RecoveryState {
  readonly id: number;
  readonly userId: number;
  readonly open: boolean;
  readonly deleted: boolean;
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
    const state = await this.queries.row<RecoveryState>(STATE, [digestOf(token)]);
    if (state === undefined || state.deleted) throw new UnknownRecovery();
    if (!state.open) throw new RecoveryExpired();
    identifyActor({ userId: state.userId, credentialKind: 'reset_token', credentialId: state.id });
    return true;
  }
}
