import { createShape, ResponseField, singleOf, updateShape } from '@app/platform/dto/shapes';
import { listOf } from '@app/platform/lists/list-request';
import { CONTACT_TYPES, type ContactType } from '../address-rules';
import { CONTACT_COLUMNS, type ContactDetails } from '../contact.columns';
import { CONTACT_GROUPS } from '../contact.types';
import { CONTACT, CreateContactDto, toContactInput, UpdateContactDto } from './contact.dto';

class ContactPreferenceResponse {
  @ResponseField({ enum: [...CONTACT_GROUPS], ...CONTACT.group }) name!: string;
  @ResponseField(CONTACT.value) value!: boolean;
}

/** A contact of a user or of an organisation. */
export class ContactResponse {
  @ResponseField(CONTACT.id) id!: number;
  @ResponseField({ enum: [...CONTACT_TYPES], ...CONTACT.type }) type!: ContactType;
  @ResponseField(CONTACT.name) name!: string;

  @ResponseField({ type: [ContactPreferenceResponse], ...CONTACT.preferences })
  preferences!: ContactPreferenceResponse[];
}

const toContactResponse = (contact: ContactDetails): ContactResponse => ({
  id: contact.id,
  type: contact.type,
  name: contact.name,
  preferences: CONTACT_GROUPS.map((name) => ({ name, value: contact.groups.includes(name) })),
});

/** The request and response shapes of contacts, the same in both variants. */
export class ContactsShapes {
  readonly create = createShape(CreateContactDto, toContactInput);
  readonly update = updateShape(UpdateContactDto, toContactInput);
  /** Response with one contact. */
  readonly single = singleOf('contact', ContactResponse, toContactResponse);
  readonly list = listOf('contacts', CONTACT_COLUMNS, ContactResponse, toContactResponse, { orders: {} });
}
