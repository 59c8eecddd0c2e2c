import {
  columnsOf,
  jsonList,
  jsonObject,
  namesOf,
  type OrderOf,
  type RowOf,
  shown,
} from '@app/platform/lists/columns';
import { ListQuery } from '@app/platform/lists/list-query';
import { User } from '@app/people/users/user.entity';
import { Team, TeamEntity } from './team.entity';
import type { TeamEntityDetails, TeamMemberDetails } from './team.types';
import { type Caller, isAdmin } from '@app/security/access/access.decorators';
import type { ListRequest } from '@app/platform/lists/paginator';
import { isOwnOf, isShownTo } from './team-reach';

const MEMBER = jsonObject<TeamMemberDetails>({
  ...namesOf(User, 'u', ['id', 'username', 'firstName', 'lastName', 'roles', 'enabled']),
  membershipId: 'm.id',
});

const ENTITY = jsonObject<TeamEntityDetails>({
  ...namesOf(TeamEntity, 'e', ['id', 'kind', 'objectId']),
  name: `coalesce(r.name, '')`,
  domains: 'r.domains',
});

const MEMBERS = 'FROM team_members m JOIN users u ON u.id = m.user_id';
const entitiesThat = (isNamed: string): string =>
  `LEFT JOIN entities r ON r.kind = left(e.kind, -1) AND r.object_id = e.object_id AND ${isNamed}`;

/** Maximum members, and maximum entities, of a small team. A team with more of either is read in full. */
const FEW = 200;

/** @param isNamed SQL condition for the entities `r` whose names the reader may know */
const columnsWith = (isNamed: string, most?: number) =>
  columnsOf(Team, 't', {
    ordered: ['id', 'name', 'adminOnly', 'autoAddSshkey'],
    sql: {
      users: shown<readonly TeamMemberDetails[]>(
        jsonList(MEMBER, `${MEMBERS} WHERE m.team_id = t.id AND u.deleted_at IS NULL`, 'm.user_id', most),
      ),
      entities: shown<readonly TeamEntityDetails[]>(
        jsonList(
          ENTITY,
          `FROM team_entities e ${entitiesThat(isNamed)} WHERE e.team_id = t.id`,
          'e.kind, e.object_id',
          most,
        ),
      ),
    },
  });

/** A team with its users and entities. */
export const TEAM_COLUMNS = columnsWith(isShownTo('t'));

/** A team as responses show it. */
export type TeamDetails = RowOf<typeof TEAM_COLUMNS>;

export type TeamOrder = OrderOf<typeof TEAM_COLUMNS>;

/** Whether a team of `small` columns must be read in full. */
export const isLarge = ({ users, entities }: TeamDetails): boolean =>
  users.length > FEW || entities.length > FEW;

/** Columns of whole teams, of teams with at most {@link FEW} + 1 members and entities, and both by the id of a team ($1). */
const readingsOf = (
  isNamed: string,
  whole = columnsWith(isNamed),
  small = columnsWith(isNamed, FEW + 1),
) => ({
  whole,
  small,
  wholeById: whole.select('t.id = $1'),
  smallById: small.select('t.id = $1'),
});

const READINGS = { all: readingsOf(isShownTo('t'), TEAM_COLUMNS), own: readingsOf(isOwnOf('t')) };

/**
 * Whether the records that other organisations let a team hold are the caller's business too. They trust the organisation of the
 * team: not who reads it by a grant, and nobody who uses no grants.
 */
export const sharesGrantsOfTeams = (caller: Caller): boolean =>
  isAdmin(caller) || (caller.usesGrants && caller.grant === undefined);

/** How the caller reads teams: with or without the names of records of other organisations. */
export const teamReadingsFor = (caller: Caller) =>
  sharesGrantsOfTeams(caller) ? READINGS.all : READINGS.own;

/** A page of the teams of an organisation. */
export const teamPage = (
  organisationId: number,
  request: ListRequest<TeamOrder>,
  columns: typeof TEAM_COLUMNS,
) =>
  new ListQuery(columns, request)
    .with('t.organisation_id', organisationId)
    .filteredBy('lower(t.name)')
    .pickedFirst();

/**
 * Adds object $3 of kind $2 to team $1 and returns the new or existing relation; no row if the object is out of reach of the
 * team's organisation, or with $4 if it is not the organisation's own. The update changes nothing, but lets RETURNING include an
 * existing row. The shared lock makes a concurrent removal of the object wait and then delete the new relation too.
 */
export const ADD_TEAM_ENTITY = `
  WITH found AS (
    SELECT t.id AS team_id, r.object_id
    FROM teams t JOIN entities r ON r.kind = left($2::text, -1) AND r.object_id = $3
      AND ${isShownTo('t')} AND (NOT $4::boolean OR ${isOwnOf('t')})
    WHERE t.id = $1
    FOR SHARE OF r
  ), tied AS (
    INSERT INTO team_entities (team_id, kind, object_id) SELECT team_id, $2, object_id FROM found
    ON CONFLICT ON CONSTRAINT team_entities_once DO UPDATE SET object_id = excluded.object_id
    RETURNING id
  )
  SELECT id FROM tied`;
