import { canonicalContact, CONTACT_TYPES, type ContactType } from '@app/people/contacts/address-rules';
import { Contact } from '@app/people/contacts/contact.entity';
import { CONTACT_CONSTRAINT_ERRORS, CONTACT_LIMITS } from '@app/people/contacts/contact.types';
import { contactGroupsOf, GroupsField } from '@app/people/contacts/shapes/contact.dto';
import { TextField, WordField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField } from '@app/platform/dto/shapes';
import { ValidationFailed } from '@app/platform/errors/api-error';
import { ownedImport, OwnedRow, ownerOf } from './owned-import';
import type { OwnerReference } from './record-owners';

/** A contact of the previous panel. Its name is the address in canonical form. */
interface ImportedContact extends Pick<Contact, 'type' | 'name' | 'uniqueKey' | 'groups'> {
  readonly owner: OwnerReference;
}

/** One row of the file. The address follows the rules of the API. */
class ContactImportRow extends OwnedRow {
  @WordField({ words: CONTACT_TYPES, required: true }) type!: ContactType;
  @TextField({ max: 254, trim: true, required: true }) name!: string;
  @GroupsField() preferences = '';
}

function canonicalAddress(type: ContactType, name: string) {
  const address = canonicalContact(type, name);
  if (address.error) throw ValidationFailed.on('name', address.error);
  return address;
}

const shape = createShape(ContactImportRow, (row): EveryField<ImportedContact> => {
  const owner = ownerOf(row);
  const { canonical: name, uniqueKey } = canonicalAddress(row.type, row.name);
  return { owner, type: row.type, name, uniqueKey, groups: contactGroupsOf(row.preferences) };
});

/** In a csv cell, lists are separated by semicolons. */
const commaSeparated = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value.replaceAll(';', ',') : value;
};

/** Contacts of users, and of organisations themselves. */
export const contactImport = ownedImport({
  entity: Contact,
  limited: { table: 'contacts', limits: CONTACT_LIMITS, errors: CONTACT_CONSTRAINT_ERRORS },
  shape,
  fields: { identity: ['type', 'name'] },
  prepare: ({ preferences, ...values }) => ({ ...values, preferences: commaSeparated(preferences) }),
  check: ({ type, name }) => {
    const known = CONTACT_TYPES.find((one) => one === type);
    if (known !== undefined && typeof name === 'string') canonicalAddress(known, name.trim());
  },
  key: { properties: ['type', 'uniqueKey'], field: 'name' },
  compared: { name: 'name', preferences: 'groups' },
  ownerColumns: ['organisationId', 'userId'],
  matching: (rows, { userIds, organisationIds }) => [
    '(user_id = ANY ($1) OR user_id IS NULL AND organisation_id = ANY ($2)) AND unique_key = ANY ($3)',
    userIds,
    organisationIds,
    rows.map(({ uniqueKey }) => uniqueKey),
  ],
  columnsOf: ({ type, name, uniqueKey, groups }, owner) => ({ ...owner, type, name, uniqueKey, groups }),
});
