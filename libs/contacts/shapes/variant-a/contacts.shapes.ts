import { contactListShape } from '../same-in-both';
import { ContactsShapes } from '../contacts.shapes';

/** Contacts in Variant A. */
export class ContactsShapesA extends ContactsShapes {
  readonly list = contactListShape({ tag: true });
}
