import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '@app/security/access/access.decorators';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { assertFound, fieldError, NotFound, ValidationFailed } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import type { RequestContext } from '@app/platform/context/request-context';
import { isInForce } from '@app/security/access/used-grant';
import { Acl, AclTeam } from './acl.entity';
import {
  GRANT_BY_ID,
  GRANT_DIRECTIONS,
  type GrantDetails,
  type GrantOrder,
  grantPage,
} from './grant.columns';
import { lockParties, readerValues } from './grant-parties';
import type { GrantChanges, NewGrant } from './grant.types';

export type GrantSearch = 'direction';

/** A grant that was set to end soon needs no mail before its end. */
const ENDS_SOON = (end: string): string => `coalesce(${end} <= now() + interval '7 days', false)`;

const INSERT = `
  INSERT INTO acls (organisation_id, grantee_id, giver_organisation_id, access, expires_at, end_told)
  SELECT $1, $2, $3, $4, ends.at, ${ENDS_SOON('ends.at')} FROM (SELECT to_timestamp($5) AS at) ends
  WHERE ends.at IS NULL OR ends.at > now() RETURNING id`;

/** $4: whether to change the end. A new end is announced again. */
const UPDATE = `
  UPDATE acls SET access = coalesce($2, access),
    expires_at = CASE WHEN $4::boolean THEN ends.at ELSE expires_at END,
    end_told = CASE WHEN $4::boolean AND expires_at IS DISTINCT FROM ends.at THEN ${ENDS_SOON('ends.at')} ELSE end_told END
  FROM (SELECT to_timestamp($3) AS at) ends
  WHERE id = $1 AND (ends.at IS NULL OR ends.at > now()) RETURNING id`;

const LOCK = `SELECT id FROM acls WHERE id = $1 AND ${isInForce('acls')} FOR UPDATE`;

const ADD_TEAM = `INSERT INTO acl_teams (acl_id, team_id) VALUES ($1, $2) ON CONFLICT ON CONSTRAINT acl_teams_once DO NOTHING`;

/**
 * Grants between organisations. The access statement finds the grants of a caller, so each change holds for the next request.
 */
@Injectable()
export class GrantsService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
  ) {}

  list(
    caller: Caller,
    organisationId: number,
    request: ListRequest<GrantOrder, GrantSearch>,
  ): Promise<Page<GrantDetails>> {
    const direction = directionIn(request.search.direction);
    return this.paginator.page(request, grantPage(caller, organisationId, direction, request));
  }

  async read(caller: Caller, id: number): Promise<GrantDetails> {
    const grant = await this.queries.pipelinedRow(GRANT_BY_ID, [...readerValues(caller), id], caller);
    if (grant === undefined) throw new NotFound('Grant');
    return grant;
  }

  async create(
    caller: Caller,
    organisationId: number,
    { granteeId, access, expiresAt }: NewGrant,
  ): Promise<GrantDetails> {
    const id = await this.transactions.run(caller, async (manager) => {
      const giverId = await lockParties(manager, caller, organisationId, granteeId);
      const values = [organisationId, granteeId, giverId, access, expiresAt ?? null];
      const [row] = await manager.query<{ id: number }[]>(INSERT, values);
      if (row === undefined) throw notInTheFuture();
      return row.id;
    });
    return this.read(caller, id);
  }

  async update(ctx: RequestContext, id: number, { access, expiresAt }: GrantChanges): Promise<void> {
    await this.transactions.run(ctx, async (manager) => {
      await lockGrant(manager, id);
      const values = [id, access ?? null, expiresAt ?? null, expiresAt !== undefined];
      const [changed] = await manager.query<[{ id: number }[], number]>(UPDATE, values);
      if (changed.length === 0) throw notInTheFuture();
    });
  }

  /** A write by the grant commits before this deletion or is refused. */
  async delete(ctx: RequestContext, id: number): Promise<void> {
    await this.transactions.run(ctx, (manager) => assertFound(manager.delete(Acl, { id }), 'Grant'));
  }

  /** Once a grant has a team, only members of its teams and the CUSTADMINs of the grantee use it. */
  async addTeam(ctx: RequestContext, id: number, teamId: number): Promise<void> {
    await this.transactions.run(ctx, async (manager) => {
      await lockGrant(manager, id);
      await manager.query(ADD_TEAM, [id, teamId]);
    });
  }

  async removeTeam(ctx: RequestContext, id: number, teamId: number): Promise<void> {
    await this.transactions.run(ctx, (manager) =>
      assertFound(manager.delete(AclTeam, { aclId: id, teamId }), 'Team of the grant'),
    );
  }
}

async function lockGrant(manager: EntityManager, id: number): Promise<void> {
  const rows = await manager.query<unknown[]>(LOCK, [id]);
  if (rows.length === 0) throw new NotFound('Grant');
}

const notInTheFuture = (): ValidationFailed =>
  ValidationFailed.on('expires', fieldError('TOO_SMALL', 'This value should be in the future.'));

function directionIn(text: string | undefined): (typeof GRANT_DIRECTIONS)[number] | undefined {
  if (text === undefined) return undefined;
  const direction = GRANT_DIRECTIONS.find((known) => known === text);
  if (direction === undefined) {
    throw ValidationFailed.on(
      'direction',
      fieldError('NOT_A_CHOICE', `This value should be one of ${GRANT_DIRECTIONS.join(', ')}.`),
    );
  }
  return direction;
}
