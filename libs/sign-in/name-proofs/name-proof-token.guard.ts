import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { isSuspended } from '@app/security/access/access.queries';
import { accessState } from '@app/security/context/access-state';
import { digestOf, isSecret } from '@app/security/secrets/digest';
import { nameProofEnded, unknownNameProof } from './name-proofs.types';

const STATE = prepared<LinkState>(`
  SELECT p.id, p.user_id AS "userId", p.organisation_id AS "organisationId",
    p.ended_at IS NULL AND p.expires_at > now() AND NOT ${isSuspended('p.organisation_id')} AS open
  FROM name_proofs p WHERE p.token_digest = $1`);

interface LinkState {
  readonly id: number;
  readonly userId: number;
  readonly organisationId: number;
  readonly open: boolean;
}

/**
 * Checks the token before the body is read, because errors of the path come first.
 * Only the transaction decides.
 */
@Injectable()
export class NameProofTokenGuard implements CanActivate {
  constructor(private readonly queries: DatabaseReads) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const token = String(context.switchToHttp().getRequest<Request>().params['token']);
    const state = isSecret(token) ? await this.queries.row(STATE, [digestOf(token)]) : undefined;
    if (state === undefined) throw unknownNameProof();
    const response = context.switchToHttp().getResponse<Response>();
    await accessState(response).tellOrganisation?.(state.organisationId);
    if (!state.open) throw nameProofEnded();
    const { context: ctx } = accessState(response);
    const { id, userId, organisationId } = state;
    ctx.identify({ userId, organisationId, credential: { kind: 'name_proof', id } });
    return true;
  }
}
