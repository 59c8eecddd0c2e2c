import type { RestoredList } from '@app/lifecycle/after-restore';
import { deletedRows } from '@app/lifecycle/deletions';
import type { TableRules } from '@app/lifecycle/table-rules';
import { madeOutOfReach } from '@app/people/organisations/maker-above';
import { isInForce } from '@app/security/access/used-grant';
import { GRANT_CONSTRAINT_ERRORS } from './grant.types';

interface RestoredGrant {
  readonly organisationId: number;
  readonly granteeId: number;
  readonly access: 'read' | 'manage';
  /** Only for teams of the grantee, and its CUSTADMINs. */
  readonly onlyTeams: boolean;
  readonly createdAt: Date;
  /** Null: it does not end by itself. */
  readonly expiresAt: Date | null;
}

const IN_FORCE = isInForce('acls');

/**
 * Ends and changes since the backup are lost, and grants that began since then are missing. Grants to manage
 * come first, because they allow most.
 */
const RESTORED: RestoredList = {
  name: 'grants',
  statement: `
    SELECT organisation_id AS "organisationId", grantee_id AS "granteeId", access, only_teams AS "onlyTeams",
      created_at AS "createdAt", expires_at AS "expiresAt"
    FROM acls WHERE ${IN_FORCE} ORDER BY access = 'manage' DESC, created_at DESC, id`,
  head: ['Grant of', 'To', 'Allows', 'Whom', 'Since', 'Until'],
  cells: ({ organisationId, granteeId, access, onlyTeams, createdAt, expiresAt }: RestoredGrant) => [
    organisationId,
    granteeId,
    access,
    onlyTeams ? 'teams' : access === 'manage' ? 'CUSTADMINs' : 'all users',
    createdAt,
    expiresAt ?? 'no end',
  ],
};

export const ACL_RULES: TableRules = {
  table: 'acls',
  otherTexts: 'access',
  constraintErrors: GRANT_CONSTRAINT_ERRORS,
  withUsers: 'grants name organisations, no users',
  withOrganisation: deletedRows(`DELETE FROM acls WHERE $1 IN (organisation_id, grantee_id)`),
  audited: {
    kind: 'acls',
    shown: 'grantee_id access only_teams created_at expires_at',
    adminOnly: 'made_by_organisation',
    hidden: 'id organisation_id',
    names: { grantee_id: 'organisation', made_by_organisation: 'madeBy' },
  },
  afterRestore: {
    keeps: { grants: IN_FORCE, grantsToManage: `${IN_FORCE} AND access = 'manage'` },
    lists: RESTORED,
  },
  checks: [
    madeOutOfReach('acls', {
      name: 'grants',
      finds: 'grants that a manager above gave and whose organisation lies beneath no more',
      end: 'DELETE FROM acls made',
    }),
  ],
};

export const ACL_TEAM_RULES: TableRules = {
  table: 'acl_teams',
  audited: { kind: 'grantTeams', shown: 'acl_id team_id', hidden: 'id', names: { acl_id: 'grantId' } },
};
