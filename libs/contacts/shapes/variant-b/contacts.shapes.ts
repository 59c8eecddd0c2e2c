import { contactListShape } from '../same-in-both';
import { ContactsShapes } from '../contacts.shapes';

/** Contacts in Variant B. */
export class ContactsShapesB extends ContactsShapes {
  readonly list = contactListShape({ tag: false });
}
