import { ApiProperty } from '@nestjs/swagger';
import { CONTACT_TYPES, type ContactType } from '../address-rules';
import { CONTACT_GROUPS, type ContactDetails } from '../contact.types';
import { CONTACT } from './contact.properties';

class ContactPreferenceResponse {
  @ApiProperty({ enum: [...CONTACT_GROUPS], ...CONTACT.group })
  name!: string;

  @ApiProperty(CONTACT.value)
  value!: boolean;
}

/** A contact of a user or of an organisation. */
export class ContactResponse {
  @ApiProperty(CONTACT.id)
  id!: number;

  @ApiProperty({ enum: [...CONTACT_TYPES], ...CONTACT.type })
  type!: ContactType;

  @ApiProperty(CONTACT.name)
  name!: string;

  @ApiProperty({ type: [ContactPreferenceResponse], ...CONTACT.preferences })
  preferences!: ContactPreferenceResponse[];
}

/** Response of everything that gives one contact. */
export class SingleContactResponse {
  @ApiProperty({ type: ContactResponse, description: 'The contact' })
  contact!: ContactResponse;
}

/** Response of the list. */
export class ContactListResponse {
  @ApiProperty({ type: [ContactResponse], description: 'The contacts of the page' })
  contacts!: ContactResponse[];
}

export const toContactResponse = (contact: ContactDetails): ContactResponse => ({
  id: contact.id,
  type: contact.type,
  name: contact.name,
  preferences: CONTACT_GROUPS.map((name) => ({ name, value: contact.groups.includes(name) })),
});
