import { columnsOf, ListQuery } from '@app/platform/lists/list-query';
import type { ContactDetails, ContactOrder, ContactOwner } from './contact.types';
import type { ListRequest } from '@app/platform/lists/paginator';

export const CONTACT_COLUMNS = columnsOf<ContactDetails>('contacts c')({
  id: { read: 'c.id', order: true },
  type: { read: 'c.type', order: true },
  name: { read: 'c.name', order: true },
  groups: { read: 'c.groups', order: false },
});

/** The contact with the id $1. */
export const CONTACT_BY_ID = CONTACT_COLUMNS.select('c.id = $1');

/** A page of the contacts of a user, or of an organisation's own. */
export function contactPage({ organisationId, userId }: ContactOwner, request: ListRequest<ContactOrder>) {
  const list = new ListQuery(CONTACT_COLUMNS, request);
  const owned =
    userId === null
      ? list.with('c.organisation_id', organisationId).where('c.user_id IS NULL')
      : list.with('c.user_id', userId);
  return owned.filteredBy('lower(c.name)').page();
}
