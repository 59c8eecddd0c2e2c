import { prepared } from '@app/core/database/prepared-queries';
import { firstItems } from '@app/core/lists/long-list';
import { columnsOf, jsonObject } from '@app/core/paging/column-table';
import type { MailDomain } from './mail-domain.types';
import type { TeamDetails, TeamEntityDetails, TeamMemberDetails } from './team.types';

/**
 * Whether the registered entity `r` is one that the organisation may have its teams work on: its own, or that of
 * an organisation that granted it access. The register names kinds in the singular.
 */
export const inReachOf = (
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

/** Members, entities and their domains that are read with their team; the others are read as they are written. */
export const MAX_MEMBERS_AT_ONCE = 500;
export const MAX_ENTITIES_AT_ONCE = 100;
export const MAX_DOMAINS_AT_ONCE = 10;

const ENTITY = jsonObject<TeamEntityDetails>({
  id: 'e.id',
  kind: 'e.kind',
  objectId: 'e.object_id',
  name: `coalesce(r.name, '')`,
  domains: `jsonb_path_query_array(r.domains, '$[0 to ${MAX_DOMAINS_AT_ONCE}]')`,
});

const MEMBERS = 'FROM team_members m JOIN users u ON u.id = m.user_id';
const ENTITIES = `LEFT JOIN entities r ON r.kind = left(e.kind, -1) AND r.object_id = e.object_id
        AND ${inReachOf('t.organisation_id')}`;

/** Those of team $1 that follow user $2. */
export const MEMBERS_AFTER = prepared<{ item: TeamMemberDetails }>(`
  SELECT ${MEMBER} AS item ${MEMBERS} WHERE m.team_id = $1 AND u.deleted_at IS NULL AND m.user_id > $2
  ORDER BY m.user_id LIMIT ${MAX_MEMBERS_AT_ONCE}`);

/** Those of team $1 that follow object $3 of the kind $2. */
export const ENTITIES_AFTER = prepared<{ item: TeamEntityDetails }>(`
  SELECT ${ENTITY} AS item FROM team_entities e JOIN teams t ON t.id = e.team_id ${ENTITIES}
  WHERE e.team_id = $1 AND (e.kind, e.object_id) > ($2::text, $3::integer)
  ORDER BY e.kind, e.object_id LIMIT ${MAX_ENTITIES_AT_ONCE}`);

/** The domains of mail group $1. */
export const DOMAINS_OF_GROUP = prepared<{ domains: readonly MailDomain[] | null }>(
  `SELECT domains FROM entities WHERE kind = 'mailgroup' AND object_id = $1`,
);

/** How many there are of team $1. */
export const MEMBERS_COUNT = prepared<{ count: number }>(
  `SELECT count(*)::integer ${MEMBERS} WHERE m.team_id = $1 AND u.deleted_at IS NULL`,
);
export const ENTITIES_COUNT = prepared<{ count: number }>(
  'SELECT count(*)::integer FROM team_entities WHERE team_id = $1',
);

/** A team with its users and what it works on. */
export const TEAM_COLUMNS = columnsOf<TeamDetails>('teams t')({
  id: { read: 't.id', order: true },
  name: { read: 't.name', order: true },
  adminOnly: { read: 't.admin_only', order: true },
  autoAddSshkey: { read: 't.auto_add_sshkey', order: true },
  users: {
    read: firstItems(
      MEMBER,
      `${MEMBERS} WHERE m.team_id = t.id AND u.deleted_at IS NULL`,
      'm.user_id',
      MAX_MEMBERS_AT_ONCE,
    ),
    order: false,
  },
  entities: {
    read: firstItems(
      ENTITY,
      `FROM team_entities e ${ENTITIES} WHERE e.team_id = t.id`,
      'e.kind, e.object_id',
      MAX_ENTITIES_AT_ONCE,
    ),
    order: false,
  },
});
