import { isSuspended } from '@app/security/access/access.queries';
import { OPERATOR_ORGANISATION } from '@app/security/access/roles';
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

/** A grant made the invitation, and who invited may not invite now (rule grants 90). */
const IS_GRANT_UNUSED = `(i.grant_id IS NOT NULL AND i.inviter_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM users inviting WHERE inviting.id = i.inviter_id AND inviting.enabled AND inviting.deleted_at IS NULL
        AND NOT ${isSuspended('inviting.organisation_id')}
        AND (${MANAGES_ITSELF} OR ${MANAGES_BY_GRANT})))`;

/**
 * The organisation of who invited lay above and does so no more (rule users 38): a former reseller lets
 * nobody in. Of the organisation's own people those who are gone count as they did.
 */
const IS_OUT_OF_REACH = `(i.grant_id IS NULL AND EXISTS (
      SELECT FROM organisations inviting WHERE inviting.id = coalesce(i.inviter_organisation_id,
          (SELECT inviter.organisation_id FROM users inviter WHERE inviter.id = i.inviter_id))
        AND inviting.id NOT IN (i.organisation_id, ${OPERATOR_ORGANISATION})
        AND NOT EXISTS (SELECT FROM organisation_closure
          WHERE ancestor_id = inviting.id AND descendant_id = i.organisation_id)))`;

/** SQL condition: nobody registers with the invitation `i` at the moment. */
export const IS_ON_HOLD = `(${IS_GRANT_UNUSED} OR ${IS_OUT_OF_REACH})`;
