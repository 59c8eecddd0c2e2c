import { ListQuery, type Query } from '@app/core/paging/list-query';
import type { ListRequest } from '@app/core/paging/page';
import { inReachOf, TEAM_COLUMNS } from './team.columns';
import type { TeamDetails, TeamOrder } from './team.types';

/** A team with its users and what it works on, by its id ($1). */
export const TEAM_BY_ID = TEAM_COLUMNS.select('t.id = $1');

/** A page of the teams of an organisation, each with its users and what it works on. */
export const teamPage = (organisationId: number, request: ListRequest<TeamOrder>): Query<TeamDetails> =>
  new ListQuery(TEAM_COLUMNS, request)
    .with('t.organisation_id', organisationId)
    .filteredBy('lower(t.name)')
    .pickedFirst();

/**
 * Puts object $3 of the kind $2 into team $1 and gives the tie, also one that was there; no row when the object
 * is not in reach of the team's organisation. The update changes nothing: it makes RETURNING give the old row.
 * Shared lock: a removal of the object waits, and then takes the new tie along.
 */
export const ADD_TEAM_ENTITY = `
  WITH found AS (
    SELECT t.id AS team_id, r.object_id
    FROM teams t JOIN entities r ON r.kind = left($2::text, -1) AND r.object_id = $3
      AND ${inReachOf('t.organisation_id')}
    WHERE t.id = $1
    FOR SHARE OF r
  ), tied AS (
    INSERT INTO team_entities (team_id, kind, object_id) SELECT team_id, $2, object_id FROM found
    ON CONFLICT ON CONSTRAINT team_entities_once DO UPDATE SET object_id = excluded.object_id
    RETURNING id
  )
  SELECT id FROM tied`;
