import type { EntityManager } from 'typeorm';
import { differences, importFields } from '@app/core/imports/import-fields';
import {
  absent,
  present,
  refused,
  type Amount,
  type Finding,
  type ImportKind,
} from '@app/core/imports/import-kind';
import { insertRows } from '@app/core/imports/insert-rows';
import { EMAIL_MAX_LENGTH } from '@app/core/text/email-address';
import { IdentifierField, TextField } from '@app/core/wire/field.decorators';
import { readBody } from '@app/core/wire/read-body';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import {
  assertOneOwner,
  findOwners,
  lockOwners,
  ownerKey,
  ownerMissing,
  type OwnerReference,
  type RecordOwner,
} from '@app/users/record-owners';
import { keyColumns } from './key-columns';
import { defaultDescription, type PublicKey } from './public-key';
import { PublicKeyField } from './shapes/public-key.decorators';
import { SshKey } from './ssh-key.entity';
import { SSH_KEY_CONSTRAINT_ERRORS } from './sshkeys.errors';
import { DESCRIPTION_MAX_LENGTH, SSH_KEY_LIMITS } from './sshkeys.limits';

/** An SSH key of the previous panel. */
interface ImportedSshKey extends ReturnType<typeof keyColumns> {
  readonly owner: OwnerReference;
  readonly description: string;
}

type NewSshKey = Omit<SshKey, 'id' | 'createdAt' | 'keyChangedAt'>;

interface NewOwnedKey {
  readonly owner: RecordOwner;
  readonly columns: NewSshKey;
}

/** One row of the file; the key by the rules of the interface. */
class SshKeyImportRow {
  @TextField({ max: EMAIL_MAX_LENGTH, emptyIsAbsent: true }) username?: string;
  @IdentifierField({ declaredAs: 'integer' }) userId?: number;
  @IdentifierField({ declaredAs: 'integer' }) organisationId?: number;
  @PublicKeyField() content!: PublicKey;
  @TextField({ max: DESCRIPTION_MAX_LENGTH, emptyIsAbsent: true }) description?: string;
}

const rowShape = createShape(SshKeyImportRow, (row): EveryField<ImportedSshKey> => {
  const { username, userId, organisationId, content, description = '' } = row;
  const owner = { username, userId, organisationId };
  assertOneOwner(owner, ['username', 'userId', 'organisationId']);
  return {
    owner,
    ...keyColumns(content),
    description: description.trim() === '' ? defaultDescription(content) : description,
  };
});

const digestKey = (digest: Buffer): string => digest.toString('base64');
const messageOf = (constraint: string): string => SSH_KEY_CONSTRAINT_ERRORS[constraint]?.message ?? '';

/** SSH keys of users, and deploy keys of organisations. */
export const sshKeyImport: ImportKind<ImportedSshKey, NewOwnedKey> = {
  name: 'sshkeys',
  table: 'ssh_keys',
  fields: importFields(rowShape),
  read: (values, strict) => readBody(rowShape, values, strict),
  uniqueIn: ({ keyDigest }) => [['content', digestKey(keyDigest)]],
  find,
  async insert(manager, keys) {
    await lockOwners(
      manager,
      keys.map(({ owner }) => owner),
    );
    await insertRows(
      manager,
      SshKey,
      keys.map(({ columns }) => columns),
    );
  },
  whenDifferent: 'refuse',
};

type StoredKey = Pick<SshKey, 'organisationId' | 'userId' | 'description' | 'comment' | 'keyDigest'>;

async function find(
  manager: EntityManager,
  rows: readonly ImportedSshKey[],
): Promise<Finding<NewOwnedKey>[]> {
  const owners = await findOwners(
    manager,
    rows.map(({ owner }) => owner),
  );
  const stored = await manager.query<StoredKey[]>(
    `SELECT organisation_id AS "organisationId", user_id AS "userId", description, comment, key_digest AS "keyDigest"
     FROM ssh_keys WHERE key_digest = ANY ($1)`,
    [rows.map(({ keyDigest }) => keyDigest)],
  );
  const storedByDigest = new Map(stored.map((key) => [digestKey(key.keyDigest), key]));
  const counts = await countsOf(
    manager,
    owners.filter((owner) => owner !== undefined),
  );
  return rows.map(({ owner: reference, description, ...columns }, position) => {
    const owner = owners[position];
    if (owner === undefined) return ownerMissing(reference);
    const ids = { userId: owner.userId, organisationId: owner.userId === null ? owner.organisationId : null };
    const key = storedByDigest.get(digestKey(columns.keyDigest));
    if (key === undefined) {
      return absent({ owner, columns: { ...ids, ...columns, description } }, amountOf(owner, counts));
    }
    if (key.userId !== ids.userId || key.organisationId !== ids.organisationId) {
      return refused('content', messageOf('ssh_keys_key_unique'));
    }
    const { comment } = columns;
    return present(
      differences({ description, content: comment }, { description: key.description, content: key.comment }),
    );
  });
}

function amountOf(owner: RecordOwner, counts: ReadonlyMap<string, number>): Amount {
  const [most, constraint] =
    owner.userId === null
      ? ([SSH_KEY_LIMITS.ofOrganisation, 'ssh_keys_limit_of_organisation'] as const)
      : ([SSH_KEY_LIMITS.ofUser, 'ssh_keys_limit_of_user'] as const);
  const key = ownerKey(owner);
  return { owner: key, present: counts.get(key) ?? 0, most, message: messageOf(constraint) };
}

async function countsOf(
  manager: EntityManager,
  owners: readonly RecordOwner[],
): Promise<ReadonlyMap<string, number>> {
  const ofOrganisations = owners.filter(({ userId }) => userId === null);
  const rows = await manager.query<{ owner: string; count: number }[]>(
    `SELECT 'user ' || user_id AS owner, count(*)::integer AS count
     FROM ssh_keys WHERE user_id = ANY ($1) GROUP BY user_id
     UNION ALL
     SELECT 'organisation ' || organisation_id, count(*)::integer
     FROM ssh_keys WHERE organisation_id = ANY ($2) GROUP BY organisation_id`,
    [
      owners.map(({ userId }) => userId).filter((id) => id !== null),
      ofOrganisations.map(({ organisationId }) => organisationId),
    ],
  );
  return new Map(rows.map(({ owner, count }) => [owner, count]));
}
