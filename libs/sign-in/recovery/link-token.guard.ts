import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import type { PreparedStatement } from '@app/platform/database/pg-reads/statement';
import type { ApiError } from '@app/platform/errors/api-error';
import { isSuspended } from '@app/security/access/access.queries';
import { customerOf } from '@app/security/access/customers';
import { accessState } from '@app/security/context/access-state';
import { digestOf, isSecret } from '@app/security/secrets/digest';

/** A link that was mailed, and its user. */
export interface LinkState {
  readonly id: number;
  readonly userId: number;
  readonly organisationId: number;
  readonly customerId: number;
  readonly open: boolean;
}

/** SQL for the links of the digest $1 that meet a condition on the request `r` and its user `u`. */
export const linksThat = (condition: string): string => `
  SELECT r.id, r.user_id AS "userId", u.organisation_id AS "organisationId",
    ${customerOf('u.organisation_id')} AS "customerId",
    r.ended_at IS NULL AND r.expires_at > now() AND NOT ${isSuspended('u.organisation_id')} AS open
  FROM recovery_requests r JOIN users u ON u.id = r.user_id WHERE r.token_digest = $1 AND ${condition}`;

/**
 * Checks the token of a mailed link before the body is read, because errors of the path come before
 * validation (rule rights 23). Only the transaction that uses the link decides.
 */
@Injectable()
export abstract class LinkTokenGuard implements CanActivate {
  protected abstract readonly state: PreparedStatement<LinkState>;
  protected abstract readonly credential: 'reset_token' | 'username_link';

  constructor(private readonly queries: DatabaseReads) {}

  protected abstract unknown(): ApiError;
  protected abstract ended(): ApiError;

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const token = String(context.switchToHttp().getRequest<Request>().params['token']);
    const state = isSecret(token) ? await this.queries.row(this.state, [digestOf(token)]) : undefined;
    if (state === undefined) throw this.unknown();
    const response = context.switchToHttp().getResponse<Response>();
    await accessState(response).announceOrganisation?.(state.organisationId);
    if (!state.open) throw this.ended();
    const { id, userId, organisationId, customerId } = state;
    const credential = { kind: this.credential, id };
    accessState(response).context.identify({ userId, organisationId, customerId, credential });
    return true;
  }
}
