import { secretContext } from '@app/users/code-checks';
import { addFirstContacts } from '@app/contacts/first-contact';
import type { ImportKind } from '@app/core/imports/import-kind';
import { SecretsKeyring, UnreadableSecret } from '@app/core/secrets/encryption';
import { findUsers, insertUsers, uniqueInUsers, type SecretBox } from '@app/users/user-import';
import { readUserImportRow, USER_IMPORT_FIELDS, type ImportedUser } from '@app/users/user-import-row';

export interface UserImportOptions {
  readonly secretsKey: string;
  /** Whether users get their address as a contact, as at registration. */
  readonly withContacts: boolean;
}

/** Users of the previous panel; those that an earlier run took over are left as they are. */
export function userImport({
  secretsKey,
  withContacts,
}: UserImportOptions): ImportKind<ImportedUser, ImportedUser> {
  const secrets = secretBox(SecretsKeyring.parse(secretsKey));
  return {
    name: 'users',
    table: 'users',
    fields: USER_IMPORT_FIELDS,
    read: readUserImportRow,
    uniqueIn: uniqueInUsers,
    idOf: ({ id }) => id,
    find: (manager, users) => findUsers(manager, users, secrets),
    async insert(manager, users) {
      const ids = await insertUsers(manager, users, secrets);
      if (!withContacts) return;
      const addresses = users.map(({ username }, position) => ({
        userId: ids[position] ?? 0,
        address: username,
      }));
      await addFirstContacts(manager, addresses);
    },
    whenDifferent: 'keep',
  };
}

const secretBox = (keyring: SecretsKeyring): SecretBox => ({
  seal: (userId, secret) => keyring.encrypt(secret, secretContext(userId)),
  open(userId, sealed) {
    try {
      return keyring.decrypt(sealed, secretContext(userId));
    } catch (error) {
      if (error instanceof UnreadableSecret) return undefined;
      throw error;
    }
  },
});
