import type { EntityManager } from 'typeorm';
import { ValidationFailed } from '@app/platform/errors/api-error';
import {
  absent,
  differences,
  type Finding,
  importFields,
  type ImportKind,
  present,
  readRow,
} from './import-kind';
import { EMAIL_MAX_LENGTH } from '@app/platform/dto/text-rules';
import { IdentifierField, TextField, WordField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField } from '@app/platform/dto/shapes';
import {
  amountOf,
  assertOneOwner,
  findOwners,
  givenOwner,
  idsOf,
  insertOwned,
  missingOwners,
  type OwnedRecord,
  ownerKey,
  ownerMissing,
  type OwnerReference,
  type RecordOwner,
  referenceKey,
} from './record-owners';
import { canonicalContact, CONTACT_TYPES, type ContactType } from '@app/people/contacts/address-rules';
import { Contact } from '@app/people/contacts/contact.entity';
import {
  CONTACT_CONSTRAINT_ERRORS,
  CONTACT_LIMITS,
  type ContactGroup,
} from '@app/people/contacts/contact.types';
import { GroupsField, contactGroupsOf } from '@app/people/contacts/shapes/contact.dto';

/** A contact of the previous panel. */
interface ImportedContact {
  readonly owner: OwnerReference;
  readonly type: ContactType;
  /** The address, in its canonical form. */
  readonly name: string;
  readonly uniqueKey: string;
  readonly groups: ContactGroup[];
}

type ContactColumns = Pick<Contact, 'organisationId' | 'userId' | 'type' | 'name' | 'uniqueKey' | 'groups'>;
type NewContact = OwnedRecord<ContactColumns>;
type StoredContact = Omit<ContactColumns, 'uniqueKey'> & { readonly uniqueKey: string };

const LIMITED = { table: 'contacts', limits: CONTACT_LIMITS, errors: CONTACT_CONSTRAINT_ERRORS } as const;

/** One row of the file; the address by the rules of the interface. */
class ContactImportRow {
  @TextField({ max: EMAIL_MAX_LENGTH, emptyIsAbsent: true }) username?: string;
  @IdentifierField({ declaredAs: 'integer' }) userId?: number;
  @IdentifierField({ declaredAs: 'integer' }) organisationId?: number;
  @WordField({ words: CONTACT_TYPES, required: true }) type!: ContactType;
  @TextField({ max: 254, trim: true, required: true }) name!: string;
  @GroupsField() preferences?: string;
}

const OWNERS = ['username', 'userId', 'organisationId'] as const;

function canonicalAddress(type: ContactType, name: string) {
  const address = canonicalContact(type, name);
  if (address.error) throw ValidationFailed.on('name', address.error);
  return address;
}

const rowShape = createShape(ContactImportRow, (row): EveryField<ImportedContact> => {
  const { username, userId, organisationId, type, name, preferences = '' } = row;
  const owner = { username, userId, organisationId };
  assertOneOwner(owner, OWNERS);
  const address = canonicalAddress(type, name);
  return {
    owner,
    type,
    name: address.canonical,
    uniqueKey: address.uniqueKey,
    groups: contactGroupsOf(preferences),
  };
});

/** Contacts of users, and of organisations themselves. */
export const contactImport: ImportKind<ImportedContact, NewContact> = {
  name: 'contacts',
  table: 'contacts',
  fields: importFields(rowShape, { identity: [...OWNERS, 'type', 'name'] }),
  read: ({ preferences, ...values }, strict) =>
    readRow(rowShape, { ...values, preferences: commaSeparated(preferences) }, strict, [
      () => assertOneOwner(givenOwner(values), OWNERS),
      () => {
        const { type, name } = values;
        const known = CONTACT_TYPES.find((one) => one === type);
        if (known !== undefined && typeof name === 'string') canonicalAddress(known, name.trim());
      },
    ]),
  missing: (manager, rows) => missingOwners(manager, rows, OWNERS),
  uniqueIn: ({ owner, type, uniqueKey }) => [['name', `${referenceKey(owner)} ${type} ${uniqueKey}`]],
  find,
  insert: (manager, contacts) => insertOwned(manager, Contact, contacts),
  whenDifferent: 'refuse',
};

/** Lists in a cell are separated by semicolons, where commas separate cells. */
const commaSeparated = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value.replaceAll(';', ',') : value;
};

const addressKey = (contact: Pick<ContactColumns, 'type' | 'uniqueKey'>): string =>
  `${contact.type} ${contact.uniqueKey}`;

async function find(
  manager: EntityManager,
  rows: readonly ImportedContact[],
): Promise<Finding<NewContact>[]> {
  const owners = await findOwners(manager, rows);
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
      const columns = { ...owner, type, name, uniqueKey, groups };
      return absent({ owner, columns }, amountOf(LIMITED, owner, others?.size));
    }
    return present(
      differences({ name, preferences: groups }, { name: contact.name, preferences: contact.groups }),
    );
  });
}

/** All contacts of owners, by owner and address. */
async function contactsOf(
  manager: EntityManager,
  owners: readonly RecordOwner[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, StoredContact>>> {
  const { userIds, organisationIds } = idsOf(owners);
  const contacts = await manager.query<StoredContact[]>(
    `SELECT organisation_id AS "organisationId", user_id AS "userId", type, name, unique_key AS "uniqueKey", groups
     FROM contacts WHERE user_id = ANY ($1)
     UNION ALL
     SELECT organisation_id, user_id, type, name, unique_key, groups
     FROM contacts WHERE user_id IS NULL AND organisation_id = ANY ($2)`,
    [userIds, organisationIds],
  );
  const byOwner = new Map<string, Map<string, StoredContact>>();
  for (const contact of contacts) {
    const key = ownerKey(contact);
    const ofOwner = byOwner.get(key) ?? new Map<string, StoredContact>();
    byOwner.set(key, ofOwner.set(addressKey(contact), contact));
  }
  return byOwner;
}
