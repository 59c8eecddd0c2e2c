import { ApiProperty } from '@nestjs/swagger';
import { CONTACT_TYPES, type ContactType } from '../address-rules';
import { CONTACT_GROUPS, type ContactDetails } from '../contact.types';

class ContactPreferenceResponse {
  @ApiProperty({ enum: [...CONTACT_GROUPS] })
  name!: string;

  @ApiProperty({ description: 'Whether notifications of this group go to the contact' })
  value!: boolean;
}

/** A contact of a user or of an organisation. */
export class ContactResponse {
  @ApiProperty({ type: 'integer', example: 56 })
  id!: number;

  @ApiProperty({ enum: [...CONTACT_TYPES] })
  type!: ContactType;

  @ApiProperty({ example: 'jan@example.nl' })
  name!: string;

  @ApiProperty({ type: [ContactPreferenceResponse], description: 'All seven groups' })
  preferences!: ContactPreferenceResponse[];
}

/** Response of everything that gives one contact. */
export class SingleContactResponse {
  @ApiProperty({ type: ContactResponse })
  contact!: ContactResponse;
}

/** Response of the list. */
export class ContactListResponse {
  @ApiProperty({ type: [ContactResponse] })
  contacts!: ContactResponse[];
}

export const toContactResponse = (contact: ContactDetails): ContactResponse => ({
  id: contact.id,
  type: contact.type,
  name: contact.name,
  preferences: CONTACT_GROUPS.map((name) => ({ name, value: contact.groups.includes(name) })),
});
