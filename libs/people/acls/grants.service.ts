import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { makerAbove } from '@app/people/organisations/maker-above';
import { StepUp } from '@app/people/users/step-up';
import { DatabaseReads, prepared, rowIn } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { assertFound, fieldError, found, NotFound, ValidationFailed } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import type { Caller } from '@app/security/access/caller';
import { assertByPerson } from '@app/security/access/for-people';
import { isInForce } from '@app/security/access/used-grant';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';
import type { RequestContext } from '@app/security/context/request-context';
import type { Proven, StepUpProof } from '@app/security/passwords/step-up-proof';
import { Acl, AclTeam } from './acl.entity';
import {
  GRANT_BY_ID,
  GRANT_DIRECTIONS,
  type GrantDetails,
  type GrantOrder,
  grantPage,
} from './grant.columns';
import type { GrantAccess, GrantChanges, NewGrant } from './grant.types';
import { GrantBounds } from './grant-bounds';
import { GrantNotifications, type NotifiedGrant } from './grant-notifications';
import { lockParties, readerValues } from './grant-parties';

export type GrantSearch = 'direction';

const INSERT = `
  INSERT INTO acls (organisation_id, grantee_id, made_by_organisation, access, expires_at)
  SELECT $1, $2, $3, $4, ends.at FROM (SELECT to_timestamp($5) AS at) ends
  WHERE ends.at IS NULL OR ends.at > now() RETURNING id`;

/**
 * $4: whether to change the end. Who lets it do more, $5: whether so, or for longer, answers for it from then
 * on, $6.
 */
const UPDATE = `
  UPDATE acls SET access = coalesce($2, access),
    made_by_organisation = CASE WHEN $5::boolean THEN $6 ELSE made_by_organisation END,
    expires_at = CASE WHEN $4::boolean THEN ends.at ELSE expires_at END
  FROM (SELECT to_timestamp($3) AS at) ends
  WHERE id = $1 AND (ends.at IS NULL OR ends.at > now())
  RETURNING grantee_id AS "granteeId", only_teams AS "isAgreed", floor(extract(epoch FROM expires_at))::float8 AS "expiresAt"`;

/** $2: another end, if $3 sets one. */
const STORED = prepared<StoredGrant>(`
  SELECT organisation_id AS "organisationId", access,
    $3::boolean AND coalesce(to_timestamp($2) > expires_at, expires_at IS NOT NULL) AS "lastsLonger"
  FROM acls WHERE id = $1 AND ${isInForce('acls')}`);

const LOCK = `${STORED.text} FOR UPDATE`;

/** What keys do not do (rule grants 39). */
const LET_MANAGE = 'let another organisation manage, or manage for longer';

const ADD_TEAM = `INSERT INTO acl_teams (acl_id, team_id) VALUES ($1, $2) ON CONFLICT ON CONSTRAINT acl_teams_once DO NOTHING`;

/**
 * Grants between organisations. The access statement finds the grants of a caller, so each change
 * holds for the next request.
 */
@Injectable()
export class GrantsService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly bounds: GrantBounds,
    private readonly notifications: GrantNotifications,
    private readonly stepUp: StepUp,
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
    const grant = await this.queries.row(GRANT_BY_ID, [...readerValues(caller), id]);
    if (grant === undefined) throw new NotFound('Grant');
    return grant;
  }

  async create(
    caller: Caller,
    organisationId: number,
    { granteeId, access, expiresAt, proof }: NewGrant & Proven,
  ): Promise<GrantDetails> {
    if (access === 'manage') await this.confirmManaging(caller, organisationId, proof);
    return this.transactions.run(caller, async (manager) => {
      const maker = await lockParties(manager, caller, organisationId, granteeId);
      const values = [organisationId, granteeId, maker, access, expiresAt ?? null];
      const [row] = await manager.query<{ id: number }[]>(INSERT, values);
      if (row === undefined) throw notInTheFuture();
      await this.bounds.count(manager, caller);
      const notified = notifiedGrantOf(caller, {
        grantId: row.id,
        organisationId,
        granteeId,
        expiresAt: expiresAt ?? null,
      });
      if (access === 'manage') await this.notifications.ofManaging(manager, 'begun', notified);
      else if (caller.credential.kind !== 'login') await this.notifications.ofReading(manager, notified);
      return found(await rowIn(manager, GRANT_BY_ID, [...readerValues(caller), row.id]), 'Grant');
    });
  }

  async update(caller: Caller, id: number, { proof, ...changes }: GrantChanges & Proven): Promise<void> {
    const stored = await this.queries.row(STORED, storedValues(id, changes));
    if (stored === undefined) throw new NotFound('Grant');
    const { organisationId } = stored;
    if (givenBy(changes, stored) === 'manage') await this.confirmManaging(caller, organisationId, proof);
    const { access, expiresAt } = changes;
    await this.transactions.run(caller, async (manager) => {
      const maker = await makerAbove(manager, caller, organisationId);
      const before = await lockGrant(manager, id, changes);
      const mayMore = givenBy(changes, before) !== undefined;
      if (mayMore) await this.bounds.count(manager, caller);
      const values = [id, access ?? null, expiresAt ?? null, expiresAt !== undefined, mayMore, maker];
      const [[changed]] = await manager.query<[ChangedGrant[], number]>(UPDATE, values);
      if (changed === undefined) throw notInTheFuture();
      if (before.access === 'read' && access === 'manage')
        await this.notifications.ofManaging(
          manager,
          'begun',
          notifiedGrantOf(caller, { grantId: id, organisationId, ...changed }),
        );
    });
  }

  /** A person lets manage, with the proof of `STEP_UP`. The operator's organisation never does. */
  private async confirmManaging(
    caller: Caller,
    organisationId: number,
    proof: StepUpProof | undefined,
  ): Promise<void> {
    assertByPerson(caller, LET_MANAGE);
    if (organisationId === OPERATOR_ORGANISATION) throw operatorGivesNone();
    await this.stepUp.confirm(caller, proof);
  }

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

interface StoredGrant {
  /** It never changes. */
  readonly organisationId: number;
  readonly access: GrantAccess;
  /** Whether it would end later than it does now, or never. */
  readonly lastsLonger: boolean;
}

type ChangedGrant = Pick<NotifiedGrant, 'granteeId' | 'isAgreed' | 'expiresAt'>;

/** The grant for the notifications of what the caller does. */
const notifiedGrantOf = (
  { userId }: Caller,
  grant: Omit<NotifiedGrant, 'actorId' | 'isAgreed'> & Partial<Pick<NotifiedGrant, 'isAgreed'>>,
): NotifiedGrant => ({ isAgreed: false, ...grant, actorId: userId });

const storedValues = (id: number, { expiresAt }: GrantChanges): unknown[] => [
  id,
  expiresAt ?? null,
  expiresAt !== undefined,
];

/** What the change begins or prolongs, if it does. */
function givenBy({ access }: GrantChanges, before: StoredGrant): GrantAccess | undefined {
  const after = access ?? before.access;
  const begins = before.access === 'read' && after === 'manage';
  return begins || before.lastsLonger ? after : undefined;
}

async function lockGrant(
  manager: EntityManager,
  id: number,
  changes: GrantChanges = {},
): Promise<StoredGrant> {
  const [grant] = await manager.query<StoredGrant[]>(LOCK, storedValues(id, changes));
  if (grant === undefined) throw new NotFound('Grant');
  return grant;
}

const operatorGivesNone = (): ValidationFailed =>
  ValidationFailed.on(
    'access',
    fieldError('NOT_A_CHOICE', 'The organisation of the operator gives grants to read alone.'),
  );

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
