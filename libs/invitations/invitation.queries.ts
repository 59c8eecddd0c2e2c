import { isSuspended } from '@app/access/suspended';
import { prepared } from '@app/core/database/prepared-queries';
import { ListQuery, type Query } from '@app/core/paging/list-query';
import type { ListRequest } from '@app/core/paging/page';
import { INVITATION_COLUMNS } from './invitation.columns';
import type { InvitationDetails, InvitationOrder, InvitationToAccept } from './invitation.types';

/** One invitation by its id ($1). */
export const INVITATION_BY_ID = INVITATION_COLUMNS.select('i.id = $1 AND i.deleted_at IS NULL');

// An expired invitation is "expired" also where a newer one has taken its place.
const TO_ACCEPT = `SELECT i.id, i.organisation_id AS "organisationId", i.email, i.first_name AS "firstName",
    i.last_name AS "lastName", o.name AS "organisationName", i.token_digest AS "tokenDigest",
    CASE WHEN i.accepted_at IS NOT NULL THEN 'accepted' WHEN o.deleted_at IS NOT NULL THEN 'orphaned'
      WHEN i.expires_at <= now() THEN 'expired' WHEN i.deleted_at IS NOT NULL THEN 'withdrawn'
      WHEN ${isSuspended('o.id')} THEN 'suspended' ELSE 'open' END AS state
  FROM invitations i JOIN organisations o ON o.id = i.organisation_id`;

/** The invitation to register with by the digest of its token ($1). */
export const TO_ACCEPT_BY_TOKEN = prepared<InvitationToAccept>(`${TO_ACCEPT} WHERE i.token_digest = $1`);

/** The invitation to register with by its id ($1). */
export const TO_ACCEPT_BY_ID = prepared<InvitationToAccept>(`${TO_ACCEPT} WHERE i.id = $1`);

/** A page of the invitations of an organisation. */
export const invitationPage = (
  organisationId: number,
  request: ListRequest<InvitationOrder>,
): Query<InvitationDetails> =>
  new ListQuery(INVITATION_COLUMNS, request)
    .with('i.organisation_id', organisationId)
    .where('i.deleted_at IS NULL')
    .filteredBy('user_search_text(i.email, i.first_name, i.last_name)')
    .page();

/**
 * Accepts invitation $1 if it is still open and its token ($2) still the one that was looked at: of all
 * concurrent registrations, withdrawals and changes one wins.
 */
export const ACCEPT_INVITATION = `
  UPDATE invitations i SET accepted_at = now()
  WHERE id = $1 AND token_digest = $2 AND accepted_at IS NULL AND deleted_at IS NULL AND expires_at > now()
    AND NOT ${isSuspended('i.organisation_id')}
  RETURNING inviter_id AS "inviterId", email, first_name AS "firstName", last_name AS "lastName", language,
    auto_roles AS "autoRoles", auto_teams AS "autoTeams"`;
