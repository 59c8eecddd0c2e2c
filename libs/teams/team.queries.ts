import { prepared } from '@app/core/database/sql';
import { substringPattern } from '@app/core/paging/list-request';
import type { Query } from '@app/core/paging/lists';
import type { ListRequest } from '@app/core/paging/page';
import type { TeamOrder } from './team.values';

/**
 * Whether the registered entity `r` is one that the organisation may have its teams work on: its own, or that of
 * an organisation that granted it access. The register names kinds in the singular.
 */
const inReachOf = (organisationId: string): string => `(r.organisation_id = ${organisationId} OR EXISTS (
        SELECT 1 FROM acls WHERE grantee_id = ${organisationId} AND organisation_id = r.organisation_id))`;

const DETAILS = `t.id, t.name, t.admin_only AS "adminOnly", t.auto_add_sshkey AS "autoAddSshkey",
    (SELECT coalesce(json_agg(json_build_object('id', u.id, 'username', u.username, 'firstName', u.first_name,
        'lastName', u.last_name, 'roles', u.roles, 'enabled', u.enabled, 'membershipId', m.id) ORDER BY u.id), '[]')
      FROM team_members m JOIN users u ON u.id = m.user_id
      WHERE m.team_id = t.id AND u.deleted_at IS NULL) AS users,
    (SELECT coalesce(json_agg(json_build_object('id', e.id, 'kind', e.kind, 'objectId', e.object_id,
        'name', coalesce(r.name, '')) ORDER BY e.kind, e.object_id), '[]')
      FROM team_entities e
      LEFT JOIN entities r ON r.kind = left(e.kind, -1) AND r.object_id = e.object_id
        AND ${inReachOf('t.organisation_id')}
      WHERE e.team_id = t.id) AS entities`;

/** A team with its users and what it works on, by its id ($1). */
export const TEAM_BY_ID = prepared(`SELECT ${DETAILS} FROM teams t WHERE t.id = $1`);

const COLUMN_OF: Readonly<Record<TeamOrder, string>> = {
  id: 'id',
  name: 'name',
  adminOnly: 'admin_only',
  autoAddSshkey: 'auto_add_sshkey',
};

/** A page of the teams of an organisation, each with its users and what it works on. */
export function teamPage(organisationId: number, request: ListRequest<TeamOrder>): Query {
  const values: unknown[] = [organisationId, request.limit + 1, request.offset];
  const direction = request.descending ? 'DESC' : 'ASC';
  let condition = '';
  if (request.filter !== undefined) {
    condition = `AND lower(t.name) LIKE lower($4)`;
    values.push(substringPattern(request.filter));
  }
  const order = `t.${COLUMN_OF[request.orderBy]} ${direction}, t.id ${direction}`;
  return {
    // The page is picked first: details in the same SELECT would be gathered for the skipped teams too.
    statement: prepared(`
      SELECT ${DETAILS}
      FROM (SELECT * FROM teams t WHERE t.organisation_id = $1 ${condition}
        ORDER BY ${order} LIMIT $2 OFFSET $3) t
      ORDER BY ${order}`),
    values,
  };
}

/**
 * Puts object $3 of the kind $2 into team $1 and gives the tie, also one that was there; no row when the object
 * is not in reach of the team's organisation. The update changes nothing: it makes RETURNING give the old row.
 */
export const ADD_TEAM_ENTITY = `
  WITH found AS (
    SELECT t.id AS team_id, r.object_id, r.name
    FROM teams t JOIN entities r ON r.kind = left($2::text, -1) AND r.object_id = $3
      AND ${inReachOf('t.organisation_id')}
    WHERE t.id = $1
  ), tied AS (
    INSERT INTO team_entities (team_id, kind, object_id) SELECT team_id, $2, object_id FROM found
    ON CONFLICT ON CONSTRAINT team_entities_once DO UPDATE SET object_id = excluded.object_id
    RETURNING id
  )
  SELECT tied.id, found.name FROM tied, found`;
