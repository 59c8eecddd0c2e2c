import { prepared } from '@app/core/database/sql';
import { substringPattern } from '@app/core/paging/list-request';
import type { Query } from '@app/core/paging/lists';
import type { ListRequest } from '@app/core/paging/page';
import type { InvitationOrder } from './invitation.values';

const STATE = `CASE WHEN i.accepted_at IS NOT NULL THEN 'accepted' WHEN i.expires_at <= now() THEN 'expired'
    ELSE 'open' END`;

const DETAILS = `i.id, i.organisation_id AS "organisationId", i.email, i.first_name AS "firstName",
    i.last_name AS "lastName", i.language, ${STATE} AS state`;

/** One invitation by its id ($1). */
export const INVITATION_BY_ID = prepared(
  `SELECT ${DETAILS} FROM invitations i WHERE i.id = $1 AND i.deleted_at IS NULL`,
);

// An expired invitation is "expired" also where a newer one has taken its place.
const TO_ACCEPT = `SELECT i.id, i.organisation_id AS "organisationId", i.email, i.token_digest AS "tokenDigest",
    CASE WHEN i.accepted_at IS NOT NULL THEN 'accepted' WHEN o.deleted_at IS NOT NULL THEN 'orphaned'
      WHEN i.expires_at <= now() THEN 'expired' WHEN i.deleted_at IS NOT NULL THEN 'withdrawn' ELSE 'open' END AS state
  FROM invitations i JOIN organisations o ON o.id = i.organisation_id`;

/** The invitation to register with by the digest of its token ($1). */
export const TO_ACCEPT_BY_TOKEN = prepared(`${TO_ACCEPT} WHERE i.token_digest = $1`);

/** The invitation to register with by its id ($1). */
export const TO_ACCEPT_BY_ID = prepared(`${TO_ACCEPT} WHERE i.id = $1`);

const SORT_KEYS: Readonly<Record<InvitationOrder, string>> = {
  id: 'i.id',
  email: 'i.email',
  firstName: 'i.first_name',
  lastName: 'i.last_name',
  fullName: `i.first_name || ' ' || i.last_name`,
  language: 'i.language',
  acceptedThenExpired: `array_position(ARRAY['accepted', 'expired', 'open'], ${STATE})`,
  expiredThenAccepted: `array_position(ARRAY['expired', 'accepted', 'open'], ${STATE})`,
  openFirst: `(${STATE}) <> 'open'`,
};

/** A page of the invitations of an organisation, with one row more than the page to tell that some remain. */
export function invitationPage(organisationId: number, request: ListRequest<InvitationOrder>): Query {
  const values: unknown[] = [organisationId, request.limit + 1, request.offset];
  const direction = request.descending ? 'DESC' : 'ASC';
  let condition = '';
  if (request.filter !== undefined) {
    condition = `AND user_search_text(i.email, i.first_name, i.last_name) LIKE lower($4)`;
    values.push(substringPattern(request.filter));
  }
  return {
    statement: prepared(`
      SELECT ${DETAILS} FROM invitations i
      WHERE i.organisation_id = $1 AND i.deleted_at IS NULL ${condition}
      ORDER BY ${SORT_KEYS[request.orderBy]} ${direction}, i.id ${direction} LIMIT $2 OFFSET $3`),
    values,
  };
}

/**
 * Accepts invitation $1 if it is still open and its token ($2) still the one that was looked at: of all
 * concurrent registrations, withdrawals and changes one wins.
 */
export const ACCEPT_INVITATION = `
  UPDATE invitations SET accepted_at = now()
  WHERE id = $1 AND token_digest = $2 AND accepted_at IS NULL AND deleted_at IS NULL AND expires_at > now()
  RETURNING inviter_id AS "inviterId", email, first_name AS "firstName", last_name AS "lastName", language,
    auto_roles AS "autoRoles", auto_teams AS "autoTeams"`;
