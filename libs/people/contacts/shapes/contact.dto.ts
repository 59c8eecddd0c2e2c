import type { FieldDescription } from '@app/platform/dto/described-fields';
import { mayFit, TextField, WordField } from '@app/platform/dto/field.decorators';
import { HasNoFaults } from '@app/platform/dto/field-checks';
import { parseCsvList } from '@app/platform/dto/text-rules';
import { type FieldError, fieldError } from '@app/platform/errors/api-error';
import { CONTACT_TYPES, type ContactType } from '../address-rules';
import { CONTACT_GROUPS, type ContactGroup, type ContactInput, isContactGroup } from '../contact.types';

/** Describes the fields of a contact, in requests and responses. */
export const CONTACT = {
  id: { type: 'integer', description: 'Identifier of the contact', example: 56 },
  type: {
    description:
      'The kind of address, never changed after creation. Only mail is delivered without further set-up',
  },
  name: {
    description:
      'The address itself: an e-mail address, a phone number in international form, or a Slack channel. Unique among ' +
      'the contacts of that type of a user, or of the organisation for its own',
    example: 'jan@example.nl',
  },
  preferences: { description: 'All seven groups of notifications, enabled or not' },
  group: { description: 'A group of notifications', example: 'System' },
  value: { type: 'boolean', description: 'Whether notifications of this group go to the contact' },
} as const satisfies Readonly<Record<string, FieldDescription>>;

/** Maximum length of a list of groups. */
const MAX_GROUPS_LENGTH = 1000;

/** The enabled groups as comma-separated text. */
export const GroupsField = (): PropertyDecorator =>
  TextField({
    max: MAX_GROUPS_LENGTH,
    description: `Comma-separated groups of notifications that go to the contact, of ${CONTACT_GROUPS.join(', ')}; empty for none`,
    example: 'System,Finance',
    checks: [HasNoFaults('areGroups', unknownGroupsIn)],
  });

const unknownGroupsIn = (value: unknown): FieldError[] =>
  mayFit(value, MAX_GROUPS_LENGTH)
    ? parseCsvList(value)
        .filter((group) => !isContactGroup(group))
        .map((group) => fieldError('DOES_NOT_EXIST', `Unknown group: ${group}.`))
    : [];

/** Body of POST. */
export class CreateContactDto {
  @WordField({ words: CONTACT_TYPES, required: true, ...CONTACT.type }) type!: ContactType;
  @TextField({ max: 254, trim: true, required: true, ...CONTACT.name }) name!: string;
  @GroupsField() preferences?: string;
}

/** Body of PUT. */
export class UpdateContactDto extends CreateContactDto {}

/** The groups in a valid text. */
export const contactGroupsOf = (preferences: string): ContactGroup[] =>
  parseCsvList(preferences).filter(isContactGroup);

export const toContactInput = (dto: CreateContactDto): ContactInput => ({
  type: dto.type,
  name: dto.name,
  groups: dto.preferences === undefined ? undefined : contactGroupsOf(dto.preferences),
});
