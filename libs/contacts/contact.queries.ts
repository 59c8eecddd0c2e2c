import { prepared } from '@app/core/database/sql';
import { substringPattern } from '@app/core/paging/list-request';
import type { Query } from '@app/core/paging/lists';
import type { ListRequest } from '@app/core/paging/page';
import type { ContactOrder, ContactOwner } from './contact.values';

const FIELDS = 'c.id, c.type, c.name, c.groups';

/** A contact by its id ($1). */
export const CONTACT_BY_ID = prepared(`SELECT ${FIELDS} FROM contacts c WHERE c.id = $1`);

/** A page of the contacts of a user, or of an organisation's own. */
export function contactPage(owner: ContactOwner, request: ListRequest<ContactOrder>): Query {
  const values: unknown[] = [owner.userId ?? owner.organisationId, request.limit + 1, request.offset];
  const ofOwner = owner.userId === null ? 'c.organisation_id = $1 AND c.user_id IS NULL' : 'c.user_id = $1';
  const direction = request.descending ? 'DESC' : 'ASC';
  let condition = '';
  if (request.filter !== undefined) {
    condition = `AND lower(c.name) LIKE lower($4)`;
    values.push(substringPattern(request.filter));
  }
  return {
    statement: prepared(`
      SELECT ${FIELDS} FROM contacts c WHERE ${ofOwner} ${condition}
      ORDER BY c.${request.orderBy} ${direction}, c.id ${direction} LIMIT $2 OFFSET $3`),
    values,
  };
}
