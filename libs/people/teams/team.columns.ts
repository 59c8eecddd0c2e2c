import { columnsOf, jsonList, jsonObject, ListQuery, type OrderOf } from '@app/platform/lists/list-query';
import type { TeamDetails, TeamEntityDetails, TeamMemberDetails } from './team.types';
import type { ListRequest, PageQuery } from '@app/platform/lists/paginator';

/**
 * Whether the teams of the organisation may work on the registered entity `r`: on its own, and on those of organisations
 * that granted it access. The register names kinds in the singular.
 */
export const entityInReachOf = (
  organisationId: string,
): string => `(r.organisation_id = ${organisationId} OR EXISTS (
        SELECT 1 FROM acls WHERE grantee_id = ${organisationId} AND organisation_id = r.organisation_id))`;

const MEMBER = jsonObject<TeamMemberDetails>({
  id: 'u.id',
  username: 'u.username',
  firstName: 'u.first_name',
  lastName: 'u.last_name',
  roles: 'u.roles',
  enabled: 'u.enabled',
  membershipId: 'm.id',
});

const ENTITY = jsonObject<TeamEntityDetails>({
  id: 'e.id',
  kind: 'e.kind',
  objectId: 'e.object_id',
  name: `coalesce(r.name, '')`,
  domains: 'r.domains',
});

const MEMBERS = 'FROM team_members m JOIN users u ON u.id = m.user_id';
const ENTITIES = `LEFT JOIN entities r ON r.kind = left(e.kind, -1) AND r.object_id = e.object_id
        AND ${entityInReachOf('t.organisation_id')}`;

/** Most members, and most records, of a small team. A team with more of either is read in full. */
const FEW = 200;

const columnsWith = (most?: number) =>
  columnsOf<TeamDetails>('teams t')({
    id: { read: 't.id', order: true },
    name: { read: 't.name', order: true },
    adminOnly: { read: 't.admin_only', order: true },
    autoAddSshkey: { read: 't.auto_add_sshkey', order: true },
    users: {
      read: jsonList(MEMBER, `${MEMBERS} WHERE m.team_id = t.id AND u.deleted_at IS NULL`, 'm.user_id', most),
      order: false,
    },
    entities: {
      read: jsonList(
        ENTITY,
        `FROM team_entities e ${ENTITIES} WHERE e.team_id = t.id`,
        'e.kind, e.object_id',
        most,
      ),
      order: false,
    },
  });

/** A team with its users and entities. */
export const TEAM_COLUMNS = columnsWith();

/** A team with at most one more than {@link FEW} of each. */
export const SMALL_TEAM_COLUMNS = columnsWith(FEW + 1);

/** Whether a team of {@link SMALL_TEAM_COLUMNS} must be read in full. */
export const isLarge = ({ users, entities }: TeamDetails): boolean =>
  users.length > FEW || entities.length > FEW;

/** A team by its id ($1). */
export const TEAM_BY_ID = {
  small: SMALL_TEAM_COLUMNS.select('t.id = $1'),
  whole: TEAM_COLUMNS.select('t.id = $1'),
};

/** A page of the teams of an organisation. */
export const teamPage = (
  organisationId: number,
  request: ListRequest<TeamOrder>,
  columns = TEAM_COLUMNS,
): PageQuery<TeamDetails> =>
  new ListQuery(columns, request)
    .with('t.organisation_id', organisationId)
    .filteredBy('lower(t.name)')
    .pickedFirst();

/**
 * Puts object $3 of kind $2 into team $1 and returns the new or existing tie; no row if the object is out of reach of the
 * team's organisation. The update changes nothing: it makes RETURNING include an existing row. The shared lock makes a
 * removal of the object wait, which then deletes the new tie too.
 */
export const ADD_TEAM_ENTITY = `
  WITH found AS (
    SELECT t.id AS team_id, r.object_id
    FROM teams t JOIN entities r ON r.kind = left($2::text, -1) AND r.object_id = $3
      AND ${entityInReachOf('t.organisation_id')}
    WHERE t.id = $1
    FOR SHARE OF r
  ), tied AS (
    INSERT INTO team_entities (team_id, kind, object_id) SELECT team_id, $2, object_id FROM found
    ON CONFLICT ON CONSTRAINT team_entities_once DO UPDATE SET object_id = excluded.object_id
    RETURNING id
  )
  SELECT id FROM tied`;

/** The orders of lists of teams. */
export type TeamOrder = OrderOf<typeof TEAM_COLUMNS>;
