import { columnsOf, jsonObject } from '@app/core/paging/column-table';
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

const ENTITY = jsonObject<TeamEntityDetails>({
  id: 'e.id',
  kind: 'e.kind',
  objectId: 'e.object_id',
  name: `coalesce(r.name, '')`,
  domains: 'r.domains',
});

/** A team with its users and what it works on. */
export const TEAM_COLUMNS = columnsOf<TeamDetails>('teams t')({
  id: { read: 't.id', order: true },
  name: { read: 't.name', order: true },
  adminOnly: { read: 't.admin_only', order: true },
  autoAddSshkey: { read: 't.auto_add_sshkey', order: true },
  users: {
    read: `(SELECT coalesce(json_agg(${MEMBER} ORDER BY u.id), '[]')
      FROM team_members m JOIN users u ON u.id = m.user_id
      WHERE m.team_id = t.id AND u.deleted_at IS NULL)`,
    order: false,
  },
  entities: {
    read: `(SELECT coalesce(json_agg(${ENTITY} ORDER BY e.kind, e.object_id), '[]')
      FROM team_entities e
      LEFT JOIN entities r ON r.kind = left(e.kind, -1) AND r.object_id = e.object_id
        AND ${inReachOf('t.organisation_id')}
      WHERE e.team_id = t.id)`,
    order: false,
  },
});
