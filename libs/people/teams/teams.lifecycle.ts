import type { EntityManager } from 'typeorm';
import { deletedRows } from '@app/lifecycle/deletions';
import { storedBy } from '@app/lifecycle/personal-data';
import { type TableRules, userTable } from '@app/lifecycle/table-rules';
import { TeamEntity } from './team.entity';
import { TEAM_CONSTRAINT_ERRORS, type TeamEntityKind } from './team.types';

export const TEAM_RULES: TableRules = {
  table: 'teams',
  otherTexts: 'name',
  constraintErrors: TEAM_CONSTRAINT_ERRORS,
  withUsers: 'a team outlives its members',
  withOrganisation: 'names nobody once its members are gone, and every route asks for the organisation',
  audited: {
    kind: 'teams',
    shown: 'name admin_only auto_add_sshkey created_at',
    hidden: 'id organisation_id',
  },
};

export const TEAM_MEMBER_RULES = userTable('team_members', {
  part: 'teams',
  about: 'Teams that the person is a member of.',
  exported: storedBy(`SELECT t.id, t.name, t.organisation_id AS "organisationId"
       FROM team_members m JOIN teams t ON t.id = m.team_id WHERE m.user_id = $1 ORDER BY t.id`),
  audited: { kind: 'teamMembers', shown: 'team_id user_id', hidden: 'id' },
});

export const TEAM_ENTITY_RULES: TableRules = {
  table: 'team_entities',
  otherTexts: 'kind',
  audited: { kind: 'teamEntities', shown: 'team_id kind object_id', hidden: 'id' },
};

/**
 * Removes a deleted entity from all teams. Call it after the deletion of its row, because a concurrent
 * addition waits for that row.
 */
export const removeFromAllTeams = (
  manager: EntityManager,
  kind: TeamEntityKind,
  objectId: number,
): Promise<unknown> => manager.delete(TeamEntity, { kind, objectId });

/**
 * Takes the records of a deleted organisation out of all teams, also those of organisations that it gave
 * access. Call it after the update of the organisation's row, because a concurrent addition locks that row.
 */
export const removeRecordsFromAllTeams = deletedRows(`
  DELETE FROM team_entities held USING entities r
  WHERE r.organisation_id = $1 AND held.kind = r.kind || 's' AND held.object_id = r.object_id`);
