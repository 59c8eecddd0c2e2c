import { User } from '@app/people/users/user.entity';
import { prepared } from '@app/platform/database/pg-reads/database-reads';
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
import type { ListRequest } from '@app/platform/lists/paginator';
import { type Caller, isAdmin } from '@app/security/access/caller';
import { Team, TeamEntity } from './team.entity';
import type { TeamEntityDetails, TeamMemberDetails } from './team.types';
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

/**
 * Whether the records that other organisations let a team hold are the caller's business too. They trust the
 * organisation of the team: not who reads it by a grant, and nobody who uses no grants.
 */
export const sharesGrantsOfTeams = (caller: Caller): boolean =>
  isAdmin(caller) || (caller.usesGrants && caller.grant === undefined);

/**
 * The value of $1 in the columns: the organisation of a reader who reads no names of records of third
 * organisations, else null.
 */
export const teamReaderValues = (reader: Caller): [number | null] => [
  sharesGrantsOfTeams(reader) ? null : reader.organisationId,
];

/**
 * Only records of the organisation of the team and of the reader have names for such a
 * reader (rule grants 24).
 */
const NAMED_TO_READER = '($1::integer IS NULL OR r.organisation_id IN (t.organisation_id, $1))';

const MEMBERS = 'FROM team_members m JOIN users u ON u.id = m.user_id';
const ENTITIES = `LEFT JOIN entities r ON r.kind = left(e.kind, -1) AND r.object_id = e.object_id
        AND ${isShownTo('t')} AND ${NAMED_TO_READER}`;

/** Maximum members, and maximum entities, of a small team. A team with more of either is read in full. */
const FEW = 200;

const columnsWith = (most?: number) =>
  columnsOf(Team, 't', {
    ordered: ['id', 'name', 'adminOnly', 'autoAddSshkey'],
    sql: {
      users: shown<readonly TeamMemberDetails[]>(
        jsonList(MEMBER, `${MEMBERS} WHERE m.team_id = t.id AND u.deleted_at IS NULL`, 'm.user_id', most),
      ),
      entities: shown<readonly TeamEntityDetails[]>(
        jsonList(
          ENTITY,
          `FROM team_entities e ${ENTITIES} WHERE e.team_id = t.id`,
          'e.kind, e.object_id',
          most,
        ),
      ),
    },
  });

/** A team with its users and entities. */
export const TEAM_COLUMNS = columnsWith();

/** A team as responses show it. */
export type TeamDetails = RowOf<typeof TEAM_COLUMNS>;

export type TeamOrder = OrderOf<typeof TEAM_COLUMNS>;

/** Whether a team of {@link SMALL_TEAM_COLUMNS} must be read in full. */
export const isLarge = ({ users, entities }: TeamDetails): boolean =>
  users.length > FEW || entities.length > FEW;

/** A team with at most {@link FEW} + 1 members and entities. */
export const SMALL_TEAM_COLUMNS = columnsWith(FEW + 1);

/** A team by its id ($2). */
export const TEAM_BY_ID = {
  small: SMALL_TEAM_COLUMNS.select('t.id = $2'),
  // Its lists may be long.
  whole: prepared<TeamDetails>(TEAM_COLUMNS.select('t.id = $2').text),
};

/** A page of the teams of an organisation. */
export const teamPage = (
  reader: Caller,
  organisationId: number,
  request: ListRequest<TeamOrder>,
  columns = TEAM_COLUMNS,
) =>
  new ListQuery(columns, request, teamReaderValues(reader))
    .with('t.organisation_id', organisationId)
    .filteredBy('t.name')
    .pickedFirst();

/**
 * Adds object $3 of kind $2 to team $1 and returns the new or existing relation; no row if the object is out
 * of reach of the team's organisation, or with $4 if it is not the organisation's own. The update changes
 * nothing, but lets RETURNING include an existing row. The shared locks make a concurrent removal of the
 * object or of its organisation wait and then delete the new relation too.
 */
export const ADD_TEAM_ENTITY = `
  WITH found AS (
    SELECT t.id AS team_id, r.object_id
    FROM teams t JOIN entities r ON r.kind = left($2::text, -1) AND r.object_id = $3
      AND ${isShownTo('t')} AND (NOT $4::boolean OR ${isOwnOf('t')})
    JOIN organisations owner ON owner.id = r.organisation_id AND owner.deleted_at IS NULL
    WHERE t.id = $1
    FOR SHARE OF r, owner
  ), tied AS (
    INSERT INTO team_entities (team_id, kind, object_id) SELECT team_id, $2, object_id FROM found
    ON CONFLICT ON CONSTRAINT team_entities_once DO UPDATE SET object_id = excluded.object_id
    RETURNING id
  )
  SELECT id FROM tied`;
