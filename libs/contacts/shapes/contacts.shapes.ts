import type { ListShape, ReplyShape, RequestShape } from '@app/core/wire/shapes';
import type { ContactDetails, ContactInput, ContactOrder } from '../contact.values';
import { changeShapeOfContact, creationShapeOfContact, singleContactShape } from './same-in-both';

/** The request and response shapes of contacts, in the running variant. */
export abstract class ContactsShapes {
  /** Body of POST. */
  readonly creation: RequestShape<ContactInput> = creationShapeOfContact;
  /** Body of PUT. */
  readonly change: RequestShape<ContactInput> = changeShapeOfContact;
  /** Answer of everything that gives one contact. */
  readonly single: ReplyShape<ContactDetails> = singleContactShape;
  /** Answer of the list. */
  abstract readonly list: ListShape<ContactDetails, ContactOrder>;
}
