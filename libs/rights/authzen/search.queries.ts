import { isSuspended } from '@app/security/access/access.queries';
import { type GrantUser, isInForce, isUsedBy } from '@app/security/access/used-grant';
import type { GrantUse } from '@app/security/access/granted-access';
import { hasSecondFactor } from '@app/security/access/second-factors';
import { entityInReachOf } from '@app/people/teams/team.columns';

/**
 * A value for each relation between two organisations. If two relations hold, each of them can lead to a yes: beneath its own
 * organisation a CUSTADMIN may also do what grants allow.
 */
export interface PerRelation<Value> {
  readonly own: Value;
  readonly beneath: Value;
  readonly read: Value;
  readonly manage: Value;
  readonly unproven: Value;
}

const GRANT_USES: readonly GrantUse[] = ['read', 'manage', 'unproven'];

/** A branch of a UNION: the records of a set of organisations. */
export interface UnionBranch {
  /** SELECT of the ids of organisations, in a column `id`. */
  readonly organisations: string;
  /** SQL conditions on the organisation `o` and the record `x`. */
  readonly conditions: readonly string[];
}

/** SQL for sets of organisations, and for the organisations that grants add. */
interface Sets {
  readonly inTree: string;
  /** The organisations of grants `g` that satisfy a condition. */
  granted(condition: string): string;
  /** SQL condition for records of these organisations. */
  among(condition: string, grants: string): string;
}

/** Only organisation $1. */
export const ITSELF = 'SELECT $1::integer AS id';

/** The organisations from which users may act on organisation $1. Each user there uses a grant or does not. */
export const ACTING_ON: Sets = {
  inTree: 'SELECT ancestor_id AS id FROM organisation_closure WHERE descendant_id = $1',
  granted: () => `SELECT g.grantee_id AS id FROM acls g WHERE g.organisation_id = $1 AND ${isInForce('g')}`,
  among: (condition, grants) => `${condition} AND EXISTS (
    SELECT FROM acls g WHERE g.organisation_id = $1 AND g.grantee_id = x.organisation_id AND ${grants})`,
};
const GRANT_USER = { id: 'x.id', isCustadmin: `x.roles @> ARRAY['ROLE_CUSTADMIN']` };

/** The organisations on which a user of organisation $1 may act. */
export const REACHED_FROM: Sets = {
  inTree: 'SELECT descendant_id AS id FROM organisation_closure WHERE ancestor_id = $1',
  granted: (condition) =>
    `SELECT g.organisation_id AS id FROM acls g WHERE g.grantee_id = $1 AND ${condition}`,
  among: (condition) => condition,
};

/** The branches of all relations with a condition. Grants with the same condition share a branch. */
export function branchesOf(
  sets: Sets,
  conditions: PerRelation<string | undefined>,
  user: GrantUser = GRANT_USER,
): UnionBranch[] {
  const arms: UnionBranch[] = [];
  const add = (organisations: string, condition: string | undefined): void => {
    if (condition !== undefined) arms.push({ organisations, conditions: [condition] });
  };
  add(ITSELF, conditions.own);
  add(sets.inTree, conditions.beneath);
  for (const condition of new Set(GRANT_USES.map((use) => conditions[use]))) {
    if (condition === undefined) continue;
    const uses = GRANT_USES.filter((use) => conditions[use] === condition);
    const kinds = uses.map((use) => `(${isUsedTo(use, user.id)})`).join(' OR ');
    const grants = `${isUsedBy('g', user)}${uses.length === GRANT_USES.length ? '' : ` AND (${kinds})`}`;
    add(sets.granted(grants), sets.among(condition, grants));
  }
  return arms;
}

/** SQL condition: the grant `g` lets its user do this. */
function isUsedTo(use: GrantUse, user: string): string {
  if (use === 'read') return `g.access = 'read'`;
  const isUnproven = `(SELECT required_2fa FROM organisations WHERE id = g.organisation_id)
    AND NOT EXISTS (SELECT FROM users p WHERE p.id = ${user} AND ${hasSecondFactor('p')})`;
  return `g.access = 'manage' AND ${use === 'manage' ? 'NOT ' : ''}(${isUnproven})`;
}

/** The records to search. */
export interface Records {
  /** FROM of the records, as `x`; undefined for the organisations themselves. */
  readonly from: string | undefined;
  readonly id: string;
}

/**
 * The places of resources after ($2, $3) in all branches together, at most $4, without duplicates. A record has one
 * organisation and so one place. A set may be as large as the tree, so each branch reads indexes in this order, side by side.
 */
export const pageOfResources = (arms: readonly UnionBranch[], { from, id }: Records): string =>
  pageOf(
    arms.map(({ organisations, conditions }) => {
      // Every index is read from the first organisation of the set.
      const first = `(SELECT min(id) FROM (${organisations}) reached WHERE id >= $2)`;
      const isAfter =
        from === undefined
          ? ['o.id > greatest($2::integer, $3::integer)']
          : [`(x.organisation_id, ${id}) > ($2, $3)`, `x.organisation_id >= ${first}`];
      return `
      SELECT o.id AS "organisationId", ${id} AS id
      FROM (${organisations}) reached JOIN organisations o ON o.id = reached.id AND o.deleted_at IS NULL
      ${from === undefined ? '' : `JOIN ${from} ON x.organisation_id = o.id`}
      WHERE ${['reached.id >= $2', `o.id >= ${first}`, ...isAfter, ...conditions].join(' AND ')}
      ORDER BY ${from === undefined ? '' : 'x.organisation_id, '}${id} LIMIT $4`;
    }),
  );

/**
 * A page of subjects whose organisations are not suspended. These organisations are few, but one may have thousands of users.
 * Each organisation is read separately, so that no plan searches all users for those of one.
 */
export const pageOfSubjects = (arms: readonly UnionBranch[], { from, id }: Records): string =>
  pageOf(
    arms.map(
      ({ organisations, conditions }) => `
      SELECT o.id AS "organisationId", found.id
      FROM (
        SELECT o.id FROM (${organisations}) reached JOIN organisations o ON o.id = reached.id
        WHERE o.id >= $2 AND o.deleted_at IS NULL AND ${IS_NOT_SUSPENDED}
        ORDER BY o.id OFFSET 0
      ) o CROSS JOIN LATERAL (
        SELECT ${id} AS id FROM ${from}
        WHERE x.organisation_id = o.id AND ${id} > CASE WHEN o.id = $2 THEN $3 ELSE 0 END AND ${conditions.join(' AND ')}
        ORDER BY ${id} LIMIT $4
      ) found
      ORDER BY o.id, found.id LIMIT $4`,
    ),
  );

/** PostgreSQL requires that $1 is used, and not every branch uses it. */
const pageOf = (arms: readonly string[]): string => `
  SELECT "organisationId", id FROM (${arms.map((arm) => `(${arm})`).join(' UNION ')}) found
  WHERE $1::integer IS NOT NULL ORDER BY 1, 2 LIMIT $4`;

/** A page of records of all organisations, ordered by id: after $1, at most $2. */
export function pageOfAll({ from, id }: Records, conditions: readonly string[]): string {
  const records =
    from === undefined ? 'organisations o' : `${from} JOIN organisations o ON o.id = x.organisation_id`;
  return `
    SELECT 0 AS "organisationId", ${id} AS id FROM ${records}
    WHERE ${['o.deleted_at IS NULL', `${id} > $1`, ...conditions].join(' AND ')}
    ORDER BY ${id} LIMIT $2`;
}

export const ORGANISATIONS: Records = { from: undefined, id: 'o.id' };
export const USERS: Records = { from: 'users x', id: 'x.id' };
export const TEAMS: Records = { from: 'teams x', id: 'x.id' };
export const SERVICE_KEYS: Records = { from: 'service_keys x', id: 'x.id' };
export const REGISTERED: Records = { from: 'entities x', id: 'x.object_id' };

export const IS_ADMIN = `x.roles @> ARRAY['ROLE_ADMIN']`;
export const IS_NOT_SUSPENDED = `NOT ${isSuspended('o.id')}`;

/**
 * Teams that hold registered entities `r`, with their members. A team holds an entity only while its organisation may work on
 * it.
 */
const HOLDERS = `team_members m JOIN teams t ON t.id = m.team_id JOIN team_entities e ON e.team_id = t.id
  JOIN entities r ON e.kind = r.kind || 's' AND e.object_id = r.object_id AND ${entityInReachOf('t')}`;

/** The users whose teams hold a record. Kind and id are SQL. */
export const holdersOf = (kind: string, id: string, condition: string): UnionBranch => {
  const found = `FROM ${HOLDERS} WHERE r.kind = ${kind} AND r.object_id = ${id}`;
  return {
    organisations: `SELECT DISTINCT t.organisation_id AS id ${found}`,
    conditions: [`x.id IN (SELECT m.user_id ${found})`, condition],
  };
};

/** The records of a kind that the teams of a user hold. */
export const heldByTeamsOf = (user: string, kind: string, condition: string): UnionBranch => {
  const found = `FROM ${HOLDERS} WHERE m.user_id = ${user} AND r.kind = ${kind}`;
  return {
    organisations: `SELECT DISTINCT r.organisation_id AS id ${found}`,
    conditions: [`x.object_id IN (SELECT r.object_id ${found})`, condition],
  };
};
