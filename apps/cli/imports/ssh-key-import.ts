import { TextField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField } from '@app/platform/dto/shapes';
import { isBlank, WORDS_RULES } from '@app/platform/dto/text-rules';
import { defaultDescription, DESCRIPTION_MAX_LENGTH, type PublicKey } from '@app/sign-in/sshkeys/public-key';
import { PublicKeyField } from '@app/sign-in/sshkeys/shapes/ssh-key.dto';
import { keyColumns } from '@app/sign-in/sshkeys/ssh-key.columns';
import { SshKey } from '@app/sign-in/sshkeys/ssh-key.entity';
import { SSH_KEY_CONSTRAINT_ERRORS, SSH_KEY_LIMITS } from '@app/sign-in/sshkeys/ssh-key.types';
import { ownedImport, OwnedRow, ownerOf } from './owned-import';
import type { OwnerReference } from './record-owners';

/** An SSH key of the previous panel. */
interface ImportedSshKey extends ReturnType<typeof keyColumns> {
  readonly owner: OwnerReference;
  readonly description: string;
}

/** One row of the file. The key follows the rules of the API. */
class SshKeyImportRow extends OwnedRow {
  @PublicKeyField() content!: PublicKey;
  @TextField({ max: DESCRIPTION_MAX_LENGTH, emptyIsAbsent: true, rules: WORDS_RULES }) description?: string;
}

const shape = createShape(SshKeyImportRow, (row): EveryField<ImportedSshKey> => {
  const { content, description = '' } = row;
  return {
    owner: ownerOf(row),
    ...keyColumns(content),
    description: isBlank(description) ? defaultDescription(content) : description,
  };
});

/** SSH keys of users, and deploy keys of organisations. */
export const sshKeyImport = ownedImport({
  entity: SshKey,
  limited: { table: 'ssh_keys', limits: SSH_KEY_LIMITS, errors: SSH_KEY_CONSTRAINT_ERRORS },
  shape,
  fields: { identity: ['description'] },
  key: {
    properties: ['keyDigest'],
    field: 'content',
    taken: SSH_KEY_CONSTRAINT_ERRORS['ssh_keys_key_unique']?.message ?? '',
  },
  compared: { description: 'description', content: 'comment' },
  ownerColumns: ['organisationId', 'userId'],
  matching: (rows) => ['key_digest = ANY ($1)', rows.map(({ keyDigest }) => keyDigest)],
  columnsOf: ({ owner: _, ...columns }, { userId, organisationId }) => ({
    ...columns,
    userId,
    organisationId: userId === null ? organisationId : null,
  }),
});
