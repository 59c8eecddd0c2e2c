import { TextField, WordField } from '@app/core/wire/field.decorators';
import { updateShape } from '@app/core/wire/shapes';
import { CONTACT_TYPES, type ContactType } from '../address-rules';
import { toContactInput } from './create-contact.dto';
import { GroupsField } from './groups.decorators';
import { CONTACT } from './contact.properties';

/** Body of PUT. */
class UpdateContactDto {
  @WordField({ words: CONTACT_TYPES, required: true, ...CONTACT.type })
  type!: ContactType;

  @TextField({ max: 254, trim: true, required: true, ...CONTACT.name })
  name!: string;

  @GroupsField()
  preferences?: string;
}

export const updateContactShape = updateShape(UpdateContactDto, toContactInput);
