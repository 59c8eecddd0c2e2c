import { columnsOf } from '@app/core/paging/column-table';
import type { InvitationDetails } from './invitation.types';

const STATE = `CASE WHEN i.accepted_at IS NOT NULL THEN 'accepted' WHEN i.expires_at <= now() THEN 'expired'
    ELSE 'open' END`;

/**
 * An invitation. The words for a state differ by variant and with them their alphabetical order: the orders by state
 * name the one that comes first.
 */
export const INVITATION_COLUMNS = columnsOf<InvitationDetails>('invitations i')(
  {
    id: { read: 'i.id', order: true },
    organisationId: { read: 'i.organisation_id', order: false },
    email: { read: 'i.email', order: true },
    firstName: { read: 'i.first_name', order: true },
    lastName: { read: 'i.last_name', order: true },
    language: { read: 'i.language', order: true },
    state: { read: STATE, order: false },
  },
  {
    fullName: `i.first_name || ' ' || i.last_name`,
    acceptedThenExpired: `array_position(ARRAY['accepted', 'expired', 'open'], ${STATE})`,
    expiredThenAccepted: `array_position(ARRAY['expired', 'accepted', 'open'], ${STATE})`,
    openFirst: `(${STATE}) <> 'open'`,
  },
);
