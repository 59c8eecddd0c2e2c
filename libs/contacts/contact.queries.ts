import { ListQuery, type Query } from '@app/core/paging/list-query';
import type { ListRequest } from '@app/core/paging/page';
import { CONTACT_COLUMNS } from './contact.columns';
import type { ContactDetails, ContactOrder, ContactOwner } from './contact.types';

/** A contact by its id ($1). */
export const CONTACT_BY_ID = CONTACT_COLUMNS.select('c.id = $1');

/** A page of the contacts of a user, or of an organisation's own. */
export function contactPage(
  { organisationId, userId }: ContactOwner,
  request: ListRequest<ContactOrder>,
): Query<ContactDetails> {
  const list = new ListQuery(CONTACT_COLUMNS, request);
  const owned =
    userId === null
      ? list.with('c.organisation_id', organisationId).where('c.user_id IS NULL')
      : list.with('c.user_id', userId);
  return owned.filteredBy('lower(c.name)').page();
}
