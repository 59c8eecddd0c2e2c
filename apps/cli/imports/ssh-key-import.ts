import type { EntityManager } from 'typeorm';
import {
  absent,
  differences,
  type Finding,
  importFields,
  type ImportKind,
  present,
  readRow,
  refused,
} from './import-kind';
import { EMAIL_MAX_LENGTH, validateName } from '@app/platform/dto/text-rules';
import { IdentifierField, TextField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField } from '@app/platform/dto/shapes';
import {
  amountOf,
  assertOneOwner,
  countsOf,
  findOwners,
  givenOwner,
  insertOwned,
  missingOwners,
  type OwnedRecord,
  ownerKey,
  ownerMissing,
  type OwnerReference,
} from './record-owners';
import { keyColumns } from '@app/sign-in/sshkeys/ssh-key.columns';
import { defaultDescription, DESCRIPTION_MAX_LENGTH, type PublicKey } from '@app/sign-in/sshkeys/public-key';
import { PublicKeyField } from '@app/sign-in/sshkeys/shapes/ssh-key.dto';
import { SshKey } from '@app/sign-in/sshkeys/ssh-key.entity';
import { SSH_KEY_CONSTRAINT_ERRORS, SSH_KEY_LIMITS } from '@app/sign-in/sshkeys/ssh-key.types';

/** An SSH key of the previous panel. */
interface ImportedSshKey extends ReturnType<typeof keyColumns> {
  readonly owner: OwnerReference;
  readonly description: string;
}

type NewSshKey = OwnedRecord<Omit<SshKey, 'id' | 'createdAt' | 'keyChangedAt' | 'version'>>;

const LIMITED = { table: 'ssh_keys', limits: SSH_KEY_LIMITS, errors: SSH_KEY_CONSTRAINT_ERRORS } as const;

/** One row of the file; the key by the rules of the interface. */
class SshKeyImportRow {
  @TextField({ max: EMAIL_MAX_LENGTH, emptyIsAbsent: true }) username?: string;
  @IdentifierField({ declaredAs: 'integer' }) userId?: number;
  @IdentifierField({ declaredAs: 'integer' }) organisationId?: number;
  @PublicKeyField() content!: PublicKey;
  @TextField({ max: DESCRIPTION_MAX_LENGTH, emptyIsAbsent: true, check: validateName }) description?: string;
}

const OWNERS = ['username', 'userId', 'organisationId'] as const;

const rowShape = createShape(SshKeyImportRow, (row): EveryField<ImportedSshKey> => {
  const { username, userId, organisationId, content, description = '' } = row;
  const owner = { username, userId, organisationId };
  assertOneOwner(owner, OWNERS);
  return {
    owner,
    ...keyColumns(content),
    description: description.trim() === '' ? defaultDescription(content) : description,
  };
});

const digestKey = (digest: Buffer): string => digest.toString('base64');

/** SSH keys of users, and deploy keys of organisations. */
export const sshKeyImport: ImportKind<ImportedSshKey, NewSshKey> = {
  name: 'sshkeys',
  table: 'ssh_keys',
  fields: importFields(rowShape, { identity: [...OWNERS, 'description'] }),
  read: (values, strict) =>
    readRow(rowShape, values, strict, [() => assertOneOwner(givenOwner(values), OWNERS)]),
  missing: (manager, rows) => missingOwners(manager, rows, OWNERS),
  uniqueIn: ({ keyDigest }) => [['content', digestKey(keyDigest)]],
  find,
  insert: (manager, keys) => insertOwned(manager, SshKey, keys),
  whenDifferent: 'refuse',
};

type StoredKey = Pick<SshKey, 'organisationId' | 'userId' | 'description' | 'comment' | 'keyDigest'>;

async function find(manager: EntityManager, rows: readonly ImportedSshKey[]): Promise<Finding<NewSshKey>[]> {
  const owners = await findOwners(manager, rows);
  const stored = await manager.query<StoredKey[]>(
    `SELECT organisation_id AS "organisationId", user_id AS "userId", description, comment, key_digest AS "keyDigest"
     FROM ssh_keys WHERE key_digest = ANY ($1)`,
    [rows.map(({ keyDigest }) => keyDigest)],
  );
  const storedByDigest = new Map(stored.map((key) => [digestKey(key.keyDigest), key]));
  const counts = await countsOf(manager, LIMITED, owners);
  return rows.map(({ owner: reference, description, ...columns }, position) => {
    const owner = owners[position];
    if (owner === undefined) return ownerMissing(reference);
    const ids = { userId: owner.userId, organisationId: owner.userId === null ? owner.organisationId : null };
    const key = storedByDigest.get(digestKey(columns.keyDigest));
    if (key === undefined) {
      return absent(
        { owner, columns: { ...ids, ...columns, description } },
        amountOf(LIMITED, owner, counts.get(ownerKey(owner))),
      );
    }
    if (key.userId !== ids.userId || key.organisationId !== ids.organisationId) {
      return refused('content', SSH_KEY_CONSTRAINT_ERRORS['ssh_keys_key_unique']?.message ?? '');
    }
    const { comment } = columns;
    return present(
      differences({ description, content: comment }, { description: key.description, content: key.comment }),
    );
  });
}
