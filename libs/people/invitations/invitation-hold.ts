import { isSuspended } from '@app/security/access/access.queries';
import { hasSecondFactor } from '@app/security/access/second-factors';
import { isUsedBy } from '@app/security/access/used-grant';

const IS_CUSTADMIN = `'ROLE_CUSTADMIN' = ANY (inviting.roles)`;

/**
 * The inviter manages the organisation without a grant: a manager of it may have sent the
 * invitation of a grant again.
 */
const MANAGES_ITSELF = `('ROLE_ADMIN' = ANY (inviting.roles) OR ${IS_CUSTADMIN} AND (
        inviting.organisation_id = i.organisation_id OR EXISTS (SELECT FROM organisation_closure
          WHERE ancestor_id = inviting.organisation_id AND descendant_id = i.organisation_id)))`;

const MANAGES_BY_GRANT = `EXISTS (
        SELECT FROM acls g JOIN organisations giver ON giver.id = g.organisation_id
        WHERE g.id = i.grant_id AND g.access = 'manage' AND g.organisation_id = i.organisation_id
          AND g.grantee_id = inviting.organisation_id
          AND ${isUsedBy('g', { id: 'inviting.id', isCustadmin: IS_CUSTADMIN })}
          AND (NOT giver.required_2fa OR ${hasSecondFactor('inviting')}))`;

/** SQL condition: a grant made the invitation `i`, and who invited may not invite now (rule grants 90). */
export const IS_GRANT_UNUSED = `(i.grant_id IS NOT NULL AND i.inviter_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM users inviting WHERE inviting.id = i.inviter_id AND inviting.enabled AND inviting.deleted_at IS NULL
        AND NOT ${isSuspended('inviting.organisation_id')}
        AND (${MANAGES_ITSELF} OR ${MANAGES_BY_GRANT})))`;
