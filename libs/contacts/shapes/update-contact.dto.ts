import { TextField, WordField } from '@app/core/wire/field.decorators';
import { updateShape } from '@app/core/wire/shapes';
import { CONTACT_TYPES, type ContactType } from '../address-rules';
import { toContactInput } from './create-contact.dto';
import { GroupsField } from './groups.decorators';

/** Body of PUT. */
class UpdateContactDto {
  @WordField({ words: CONTACT_TYPES, required: true, description: 'Can not be changed after creation' })
  type!: ContactType;

  @TextField({
    max: 254,
    trim: true,
    required: true,
    description: 'The address itself',
    example: 'jan@example.nl',
  })
  name!: string;

  @GroupsField()
  preferences?: string;
}

export const updateContactShape = updateShape(UpdateContactDto, toContactInput);
