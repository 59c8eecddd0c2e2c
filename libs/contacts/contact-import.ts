import type { EntityManager } from 'typeorm';
import { ValidationFailed } from '@app/core/errors/api-error';
import { differences, importFields } from '@app/core/imports/import-fields';
import { absent, present, type Amount, type Finding, type ImportKind } from '@app/core/imports/import-kind';
import { insertRows } from '@app/core/imports/insert-rows';
import { EMAIL_MAX_LENGTH } from '@app/core/text/email-address';
import { IdentifierField, TextField, WordField } from '@app/core/wire/field.decorators';
import { readBody } from '@app/core/wire/read-body';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import {
  assertOneOwner,
  findOwners,
  lockOwners,
  ownerKey,
  ownerMissing,
  referenceKey,
  type OwnerReference,
  type RecordOwner,
} from '@app/users/record-owners';
import { CONTACT_TYPES, contactAddress, type ContactType } from './address-rules';
import { Contact } from './contact.entity';
import { CONTACT_CONSTRAINT_ERRORS } from './contacts.errors';
import { CONTACT_LIMITS } from './contacts.limits';
import type { ContactGroup } from './contact.types';
import { groupsOf } from './shapes/create-contact.dto';
import { GroupsField } from './shapes/groups.decorators';

/** A contact of the previous panel. */
interface ImportedContact {
  readonly owner: OwnerReference;
  readonly type: ContactType;
  /** The address, in its canonical form. */
  readonly name: string;
  readonly uniqueKey: string;
  readonly groups: ContactGroup[];
}

type NewContact = Pick<Contact, 'organisationId' | 'userId' | 'type' | 'name' | 'uniqueKey' | 'groups'>;
type StoredContact = Omit<NewContact, 'uniqueKey'> & { readonly uniqueKey: string };

/** One row of the file; the address by the rules of the interface. */
class ContactImportRow {
  @TextField({ max: EMAIL_MAX_LENGTH, emptyIsAbsent: true }) username?: string;
  @IdentifierField({ declaredAs: 'integer' }) userId?: number;
  @IdentifierField({ declaredAs: 'integer' }) organisationId?: number;
  @WordField({ words: CONTACT_TYPES, required: true }) type!: ContactType;
  @TextField({ max: 254, trim: true, required: true }) name!: string;
  @GroupsField() preferences?: string;
}

const rowShape = createShape(ContactImportRow, (row): EveryField<ImportedContact> => {
  const { username, userId, organisationId, type, name, preferences = '' } = row;
  const owner = { username, userId, organisationId };
  assertOneOwner(owner, ['username', 'userId', 'organisationId']);
  const address = contactAddress(type, name);
  if ('error' in address) throw ValidationFailed.on('name', address.error);
  return {
    owner,
    type,
    name: address.canonical,
    uniqueKey: address.uniqueKey,
    groups: groupsOf(preferences),
  };
});

/** Contacts of users, and of organisations themselves. */
export const contactImport: ImportKind<ImportedContact, NewContact> = {
  name: 'contacts',
  table: 'contacts',
  fields: importFields(rowShape),
  read: ({ preferences, ...values }, strict) =>
    readBody(rowShape, { ...values, preferences: commaSeparated(preferences) }, strict),
  uniqueIn: ({ owner, type, uniqueKey }) => [['name', `${referenceKey(owner)} ${type} ${uniqueKey}`]],
  find,
  async insert(manager, contacts) {
    await lockOwners(manager, contacts);
    await insertRows(manager, Contact, contacts);
  },
  whenDifferent: 'refuse',
};

/** Lists in a cell are separated by semicolons, where commas separate cells. */
const commaSeparated = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value.replaceAll(';', ',') : value;
};

const addressKey = (contact: Pick<NewContact, 'type' | 'uniqueKey'>): string =>
  `${contact.type} ${contact.uniqueKey}`;

async function find(
  manager: EntityManager,
  rows: readonly ImportedContact[],
): Promise<Finding<NewContact>[]> {
  const owners = await findOwners(
    manager,
    rows.map(({ owner }) => owner),
  );
  const stored = await contactsOf(
    manager,
    owners.filter((owner) => owner !== undefined),
  );
  return rows.map((row, position) => {
    const owner = owners[position];
    if (owner === undefined) return ownerMissing(row.owner);
    const { type, name, uniqueKey, groups } = row;
    const others = stored.get(ownerKey(owner));
    const contact = others?.get(addressKey(row));
    if (contact === undefined) {
      const { organisationId, userId } = owner;
      const record = { organisationId, userId, type, name, uniqueKey, groups };
      return absent(record, amountOf(owner, others?.size ?? 0));
    }
    return present(
      differences({ name, preferences: groups }, { name: contact.name, preferences: contact.groups }),
    );
  });
}

function amountOf(owner: RecordOwner, count: number): Amount {
  const [most, constraint] =
    owner.userId === null
      ? ([CONTACT_LIMITS.ofOrganisation, 'contacts_limit_of_organisation'] as const)
      : ([CONTACT_LIMITS.ofUser, 'contacts_limit_of_user'] as const);
  const message = CONTACT_CONSTRAINT_ERRORS[constraint]?.message ?? '';
  return { owner: ownerKey(owner), present: count, most, message };
}

/** All contacts of owners, by owner and address. */
async function contactsOf(
  manager: EntityManager,
  owners: readonly RecordOwner[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, StoredContact>>> {
  const ofOrganisations = owners.filter(({ userId }) => userId === null);
  const contacts = await manager.query<StoredContact[]>(
    `SELECT organisation_id AS "organisationId", user_id AS "userId", type, name, unique_key AS "uniqueKey", groups
     FROM contacts WHERE user_id = ANY ($1)
     UNION ALL
     SELECT organisation_id, user_id, type, name, unique_key, groups
     FROM contacts WHERE user_id IS NULL AND organisation_id = ANY ($2)`,
    [
      owners.map(({ userId }) => userId).filter((id) => id !== null),
      ofOrganisations.map(({ organisationId }) => organisationId),
    ],
  );
  const byOwner = new Map<string, Map<string, StoredContact>>();
  for (const contact of contacts) {
    const key = ownerKey(contact);
    const ofOwner = byOwner.get(key) ?? new Map<string, StoredContact>();
    byOwner.set(key, ofOwner.set(addressKey(contact), contact));
  }
  return byOwner;
}
