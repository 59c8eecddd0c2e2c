import { orderBy } from '@app/core/wire/order-by';
import { CONTACT_COLUMNS } from '../contact.columns';
import { listShape, responseShape } from '@app/core/wire/shapes';
import type { ContactDetails, ContactOrder } from '../contact.types';
import {
  ContactResponse,
  ContactListResponse,
  SingleContactResponse,
  toContactResponse,
} from './contact.response';
import { createContactShape } from './create-contact.dto';
import { updateContactShape } from './update-contact.dto';

/** The request and response shapes of contacts, the same in both variants. */
export class ContactsShapes {
  /** Body of POST. */
  readonly create = createContactShape;
  /** Body of PUT. */
  readonly update = updateContactShape;
  /** Response of everything that gives one contact. */
  readonly single = responseShape(SingleContactResponse, (contact: ContactDetails) => ({
    contact: toContactResponse(contact),
  }));
  /** Response of the list. */
  readonly list = listShape<ContactDetails, ContactListResponse, ContactOrder>(
    ContactListResponse,
    { orderBy: orderBy(CONTACT_COLUMNS, ContactResponse, {}), search: {} },
    (page) => ({ contacts: page.items.map(toContactResponse) }),
  );
}
