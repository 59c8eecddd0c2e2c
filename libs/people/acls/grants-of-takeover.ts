import type { EntityManager } from 'typeorm';
import { changesByHands, lockedChangesByHands } from '@app/lifecycle/takeover-acts';
import type { Takeover, TakeoverOutcome, TakeoverRecord } from '@app/lifecycle/takeovers';
import type { GrantAccess } from './grant.types';

interface LockedGrant {
  readonly id: number;
  readonly organisationId: number;
  readonly granteeId: number;
  readonly giver: number | null;
  readonly access: GrantAccess;
}

const LOCK = `
  SELECT id, organisation_id AS "organisationId", grantee_id AS "granteeId", giver_organisation_id AS giver, access
  FROM acls WHERE id = ANY ($1::integer[]) ORDER BY id FOR UPDATE`;

/** Whoever gave the grant to read is its giver again: it ends when that organisation loses its reach. */
const LOWER = `
  UPDATE acls SET access = 'read', giver_organisation_id = former.giver
  FROM unnest($1::integer[], $2::integer[]) AS former (id, giver) WHERE acls.id = former.id`;

const DECIDED = { table: 'acls', columns: ['access', 'giver_organisation_id'] } as const;

/** Whoever acts by a grant, or ends one, locks the grant and then its invitations. */
export async function lockGrantsOfTakeover(manager: EntityManager, { hands }: Takeover): Promise<void> {
  const { table, columns } = DECIDED;
  const changes = await changesByHands(manager, hands, table, columns);
  await manager.query(LOCK, [[...changes.keys()]]);
}

/**
 * Somebody else who has decided since what a grant allows has taken it over.
 * Triggers tell both organisations.
 */
export async function endGrantsOfTakeover(
  manager: EntityManager,
  { hands }: Takeover,
): Promise<TakeoverRecord[]> {
  const { changes, rows: grants } = await lockedChangesByHands(manager, hands, DECIDED, (ids) =>
    manager.query<LockedGrant[]>(LOCK, [ids]),
  );
  const decided = grants.filter(({ id }) => changes.get(id)?.was.access !== undefined);
  const made = decided.filter(({ id }) => changes.get(id)?.isMade === true);
  const raised = decided.filter(
    ({ id, access }) => access === 'manage' && changes.get(id)?.was.access === 'read',
  );
  await manager.query('DELETE FROM acls WHERE id = ANY ($1::integer[])', [made.map(({ id }) => id)]);
  await manager.query(LOWER, [
    raised.map(({ id }) => id),
    raised.map(({ id, giver }) => {
      const former = changes.get(id)?.was.giver_organisation_id;
      return former === undefined ? giver : former;
    }),
  ]);
  const told = (outcome: TakeoverOutcome, { organisationId, granteeId }: LockedGrant): TakeoverRecord => ({
    outcome,
    organisationId,
    name: granteeId,
  });
  return [
    ...made.map((grant) => told('endedGrants', grant)),
    ...raised.map((grant) => told('grantsThatRead', grant)),
  ];
}
