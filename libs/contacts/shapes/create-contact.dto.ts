import { parseCsvList } from '@app/core/text/csv-list';
import { TextField, WordField } from '@app/core/wire/field.decorators';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import { CONTACT_TYPES, type ContactType } from '../address-rules';
import { isContactGroup, type ContactGroup, type ContactInput } from '../contact.types';
import { GroupsField } from './groups.decorators';
import { CONTACT } from './contact.properties';

/** Body of POST. */
export class CreateContactDto {
  @WordField({ words: CONTACT_TYPES, required: true, ...CONTACT.type })
  type!: ContactType;

  @TextField({ max: 254, trim: true, required: true, ...CONTACT.name })
  name!: string;

  @GroupsField()
  preferences?: string;
}

/** The groups of a text that was checked. */
export const groupsOf = (preferences: string): ContactGroup[] =>
  parseCsvList(preferences).filter(isContactGroup);

export const toContactInput = ({ type, name, preferences }: CreateContactDto): EveryField<ContactInput> => ({
  type,
  name,
  groups: preferences === undefined ? undefined : groupsOf(preferences),
});

export const createContactShape = createShape(CreateContactDto, toContactInput);
