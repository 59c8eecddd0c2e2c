import { ApiProperty } from '@nestjs/swagger';
import { parseCsvList } from '@app/core/text/csv-list';
import { TextField, WordField } from '@app/core/wire/fields';
import { changeShape, creationShape, listShape, replyShape, type ListShape } from '@app/core/wire/shapes';
import { CONTACT_TYPES, type ContactType } from '../address-rules';
import {
  CONTACT_GROUPS,
  isContactGroup,
  type ContactDetails,
  type ContactInput,
  type ContactOrder,
} from '../contact.values';

/** Body of POST and PUT. */
export class ContactRequest {
  @WordField({ words: CONTACT_TYPES, required: true, description: 'Can not be changed after creation' })
  type!: ContactType;

  @TextField({ max: 254, required: true, description: 'The address itself', example: 'jan@example.nl' })
  name!: string;

  @TextField({
    max: 1000,
    description: `Comma-separated groups that are enabled, of ${CONTACT_GROUPS.join(', ')}; empty enables none`,
    example: 'System,Finance',
    check: faultOfGroups,
  })
  preferences?: string;
}

class ContactPreferenceReply {
  @ApiProperty({ enum: [...CONTACT_GROUPS] })
  name!: string;

  @ApiProperty({ description: 'Whether notifications of this group go to the contact' })
  value!: boolean;
}

class ContactReply {
  @ApiProperty({ type: 'integer', example: 56 })
  id!: number;

  @ApiProperty({ enum: [...CONTACT_TYPES] })
  type!: ContactType;

  @ApiProperty({ example: 'jan@example.nl' })
  name!: string;

  @ApiProperty({ type: [ContactPreferenceReply], description: 'All seven groups' })
  preferences!: ContactPreferenceReply[];
}

class ContactAnswer {
  @ApiProperty({ type: ContactReply })
  contact!: ContactReply;
}

class ContactListAnswer {
  @ApiProperty({ type: [ContactReply] })
  contacts!: ContactReply[];
}

function faultOfGroups(text: string): string | undefined {
  const unknown = parseCsvList(text).filter((group) => !isContactGroup(group));
  return unknown.length === 0 ? undefined : `Unknown group: ${unknown.join(', ')}.`;
}

const contactInput = ({ type, name, preferences }: ContactRequest): ContactInput => ({
  type,
  name,
  groups: preferences === undefined ? undefined : parseCsvList(preferences).filter(isContactGroup),
});

const contactReply = (contact: ContactDetails): ContactReply => ({
  id: contact.id,
  type: contact.type,
  name: contact.name,
  preferences: CONTACT_GROUPS.map((name) => ({ name, value: contact.groups.includes(name) })),
});

export const creationShapeOfContact = creationShape(ContactRequest, contactInput);

export const changeShapeOfContact = changeShape(ContactRequest, contactInput);

export const singleContactShape = replyShape(ContactAnswer, (contact: ContactDetails) => ({
  contact: contactReply(contact),
}));

/** The list of contacts: the same items in both variants; only Variant A has `tag`. */
export const contactListShape = ({ tag }: { tag: boolean }): ListShape<ContactDetails, ContactOrder> =>
  listShape<ContactDetails, ContactListAnswer, ContactOrder>(
    ContactListAnswer,
    { orderBy: { id: 'id', type: 'type', name: 'name' }, search: {}, tag },
    (page) => ({ contacts: page.items.map(contactReply) }),
  );
