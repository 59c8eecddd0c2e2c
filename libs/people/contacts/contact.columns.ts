import { columnsOf, type OrderOf, type RowOf } from '@app/platform/lists/columns';
import { ListQuery } from '@app/platform/lists/list-query';
import type { ListRequest } from '@app/platform/lists/paginator';
import type { RecordOwner } from '../users/path-owner.decorator';
import { Contact } from './contact.entity';

export const CONTACT_COLUMNS = columnsOf(Contact, 'c', {
  ordered: ['id', 'name'],
  codes: ['type'],
  shown: ['groups'],
});

/** A contact as responses show it. */
export type ContactDetails = RowOf<typeof CONTACT_COLUMNS>;

export type ContactOrder = OrderOf<typeof CONTACT_COLUMNS>;

/** The contact with the id $1. */
export const CONTACT_BY_ID = CONTACT_COLUMNS.select('c.id = $1');

/** A page of the contacts of a user, or of an organisation's own. */
export function contactPage({ organisationId, userId }: RecordOwner, request: ListRequest<ContactOrder>) {
  const list = new ListQuery(CONTACT_COLUMNS, request);
  const owned =
    userId === null
      ? list.with('c.organisation_id', organisationId).where('c.user_id IS NULL')
      : list.with('c.user_id', userId);
  return owned.filteredBy('c.name').page();
}
