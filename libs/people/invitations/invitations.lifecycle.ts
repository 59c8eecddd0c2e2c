import { erasedBy, storedBy } from '@app/lifecycle/personal-data';
import type { CredentialRules } from '@app/lifecycle/table-rules';
import { madeOutOfReach } from '@app/people/organisations/maker-above';
import { INVITATION_CONSTRAINT_ERRORS } from './invitation.types';
import { InvitationDeletions } from './invitation-deletions';

const BATCH = 500;

/** When the invitation ended: at acceptance, withdrawal or expiry, whichever came first. */
const ENDED_AT = 'least(accepted_at, deleted_at, expires_at)';

const past = (retention: number): string => `
  WITH deleted AS (
    DELETE FROM invitations WHERE id IN (
      SELECT id FROM invitations WHERE ${ENDED_AT} < now() - make_interval(secs => ${retention})
      ORDER BY ${ENDED_AT} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING id
  ) SELECT count(*) = ${BATCH} AS more FROM deleted`;

/**
 * The data of the invited person. Invitations that the person made are listed without other people's data.
 */
const STORED = `
  SELECT id, organisation_id AS "organisationId", 'received' AS kind, email, first_name AS "firstName",
    last_name AS "lastName", language, auto_roles AS "roles", auto_teams AS "teams", created_at AS "createdAt",
    expires_at AS "expiresAt", accepted_at AS "acceptedAt", deleted_at AS "deletedAt"
  FROM invitations WHERE id = ANY ($2::integer[])
  UNION ALL
  SELECT id, organisation_id, 'made', NULL, NULL, NULL, language, auto_roles, auto_teams, created_at, expires_at,
    accepted_at, deleted_at
  FROM invitations WHERE inviter_id = $1 AND NOT id = ANY ($2::integer[])
  ORDER BY id`;

/** Withdraws an open invitation, because its mail no longer has an address. */
const ERASE = `
  UPDATE invitations SET email = '', first_name = '', last_name = '',
    deleted_at = CASE WHEN accepted_at IS NULL THEN coalesce(deleted_at, now()) ELSE deleted_at END
  WHERE id = ANY ($1::integer[]) AND email <> ''`;

export const INVITATION_RULES: CredentialRules = {
  table: 'invitations',
  personalTexts: 'email first_name last_name',
  otherTexts: 'language auto_roles',
  constraintErrors: INVITATION_CONSTRAINT_ERRORS,
  audited: {
    kind: 'invitations',
    // The inviter may be a user of the operator. The actor of the row is the inviter, masked if the
    // reader may not know the user.
    shown:
      'email first_name last_name language auto_roles auto_teams created_at expires_at accepted_at deleted_at',
    adminOnly: 'inviter_id inviter_organisation_id made_by_organisation',
    hidden: 'id organisation_id token_digest made_by_key',
    names: { made_by_organisation: 'madeBy' },
  },
  afterRestore: {
    keeps: { openInvitations: 'accepted_at IS NULL AND deleted_at IS NULL AND expires_at > now()' },
  },
  checks: [
    {
      name: 'open invitations',
      finds:
        'addresses with several open invitations of one organisation: withdraw all but one, then REINDEX DATABASE',
      wrong: `SELECT 'organisation ' || organisation_id || ', ' || min(email) AS example FROM invitations
        WHERE accepted_at IS NULL AND deleted_at IS NULL
        GROUP BY organisation_id, fold_case(email) || '' HAVING count(*) > 1`,
    },
    madeOutOfReach('invitations', {
      name: 'invitations from above',
      finds: 'open invitations by a manager above whose organisation lies beneath no more',
      open: 'made.accepted_at IS NULL AND made.deleted_at IS NULL',
      end: 'UPDATE invitations made SET deleted_at = now()',
    }),
  ],
  withUsers: 'it belongs to the organisation; roles that a deleted inviter promised are not granted',
  handler: InvitationDeletions,
  part: 'invitations',
  about:
    'Invitations to become a user: those that the person received, and when the person invited somebody.',
  stored: storedBy(STORED, ({ id, invitationIds }) => [id, invitationIds]),
  erase: erasedBy(ERASE, ({ invitationIds }) => [invitationIds]),
  cleanUp: ({ invitations }) => (invitations === undefined ? [] : [past(invitations)]),
};
