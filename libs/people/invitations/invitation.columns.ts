import { isUnavailable } from '@app/people/users/unavailable-names';
import { prepared } from '@app/platform/database/pg-reads/database-reads';
import { alphabetical, columnsOf, type OrderOf, type RowOf, shown } from '@app/platform/lists/columns';
import { ListQuery } from '@app/platform/lists/list-query';
import type { ListRequest } from '@app/platform/lists/paginator';
import { isSuspended } from '@app/security/access/access.queries';
import { Invitation } from './invitation.entity';
import type { InvitationState, InvitationToAccept } from './invitation.types';

const STATE = `CASE WHEN i.accepted_at IS NOT NULL THEN 'accepted' WHEN i.expires_at <= now() THEN 'expired'
    ELSE 'open' END`;

/** SQL for the entity tag: an invitation also changes its state when it expires. */
export const INVITATION_TAG = `record.version
  || CASE WHEN record.accepted_at IS NULL AND record.expires_at <= now() THEN '-expired' ELSE '' END`;

/**
 * An invitation. The variants have different words for a state, and so different alphabetical orders:
 * hence several orders by state.
 */
export const INVITATION_COLUMNS = columnsOf(Invitation, 'i', {
  ordered: ['id', 'email', 'firstName', 'lastName'],
  codes: ['language'],
  shown: ['organisationId'],
  sql: { state: shown<InvitationState>(STATE) },
  orders: {
    fullName: alphabetical(`(i.first_name || ' ' || i.last_name)`),
    acceptedThenExpired: `array_position(ARRAY['accepted', 'expired', 'open'], ${STATE})`,
    expiredThenAccepted: `array_position(ARRAY['expired', 'accepted', 'open'], ${STATE})`,
    openFirst: `(${STATE}) <> 'open'`,
  },
});

/** An invitation as responses show it. */
export type InvitationDetails = RowOf<typeof INVITATION_COLUMNS>;

export type InvitationOrder = OrderOf<typeof INVITATION_COLUMNS>;

/** An invitation by its id ($1). */
export const INVITATION_BY_ID = INVITATION_COLUMNS.select('i.id = $1 AND i.deleted_at IS NULL');

// An expired invitation keeps the state "expired" when a newer one replaces it.
const TO_ACCEPT = `SELECT i.id, i.organisation_id AS "organisationId", o.customer_id AS "customerId", i.email, i.first_name AS "firstName",
    i.last_name AS "lastName", i.language, o.name AS "organisationName", i.token_digest AS "tokenDigest",
    coalesce(inviter.first_name || ' ' || inviter.last_name, owner.name, '') AS "inviterName",
    EXISTS (SELECT FROM users u WHERE fold_case(u.username) = fold_case(i.email) AND u.deleted_at IS NULL
      AND u.username_verified) AS "isTaken", ${isUnavailable('i.email')} AS "isUnavailable",
    CASE WHEN i.accepted_at IS NOT NULL THEN 'accepted' WHEN o.deleted_at IS NOT NULL THEN 'orphaned'
      WHEN i.expires_at <= now() THEN 'expired' WHEN i.deleted_at IS NOT NULL THEN 'withdrawn'
      WHEN ${isSuspended('o.id')} THEN 'ended' ELSE 'open' END AS state
  FROM invitations i JOIN organisations o ON o.id = i.organisation_id
    LEFT JOIN users inviter ON inviter.id = i.inviter_id AND inviter.deleted_at IS NULL
    LEFT JOIN organisations owner ON owner.id = i.inviter_organisation_id AND owner.deleted_at IS NULL`;

/** An invitation at registration, by the digest of its token ($1). */
export const TO_ACCEPT_BY_TOKEN = prepared<InvitationToAccept>(`${TO_ACCEPT} WHERE i.token_digest = $1`);

/** An invitation at registration, by its id ($1). */
export const TO_ACCEPT_BY_ID = prepared<InvitationToAccept>(`${TO_ACCEPT} WHERE i.id = $1`);

/** A page of the invitations of an organisation. */
export const invitationPage = (organisationId: number, request: ListRequest<InvitationOrder>) =>
  new ListQuery(INVITATION_COLUMNS, request)
    .with('i.organisation_id', organisationId)
    .where('i.deleted_at IS NULL')
    .filteredByForm('user_search_text(i.email, i.first_name, i.last_name)')
    .page();

/**
 * Accepts invitation $1 if it is still open and still has the token $2. Only one of several
 * concurrent changes succeeds.
 */
export const ACCEPT_INVITATION = `
  UPDATE invitations i SET accepted_at = now()
  WHERE id = $1 AND token_digest = $2 AND accepted_at IS NULL AND deleted_at IS NULL AND expires_at > now()
    AND NOT ${isSuspended('i.organisation_id')}
  RETURNING inviter_id AS "inviterId", inviter_organisation_id AS "inviterOrganisationId", made_by_key AS "madeByKey",
    email, first_name AS "firstName", last_name AS "lastName", language, auto_roles AS "autoRoles", auto_teams AS "autoTeams"`;
