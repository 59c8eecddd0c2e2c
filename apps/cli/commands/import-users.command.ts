import { Option } from 'commander';
import { secretsKeyOf } from '@app/core/secrets/secrets-key';
import type { ImportedUser } from '@app/users/user-import-row';
import { commandHelp, type CommandLine } from '../command';
import { importOfNewRecords } from '../rows/new-records';
import { declareImport, type ImportOptions } from './import-command';
import { userImport } from './import-users';

const HELP = commandHelp(
  'take over users of the previous panel with their password hashes',
  `Takes over users of the previous panel. Each can log in with the old password; the first login replaces the old
hash with the service's own. A user whose name is an e-mail address gets it as a contact with all groups enabled.
Nobody is mailed or notified.

Rows are written in transactions of 500. A bad row is named on standard error and keeps no other from being taken over.
After an interruption run the same command again: users who are there already stay as they are.`,
  `Fields (columns of the csv header, or keys of each JSON object):
  id                the user's number, which it keeps; a new one if empty
  organisationId    required; the organisation must exist
  username          required; an e-mail address, or a login name (Variant A keeps it, and takes none as a new name)
  firstName         required
  lastName          required
  passwordHash      required, or cp3Password: $1$, $5$, $6$, $2a$, $2b$ or $2y$
  language          nl, en or fr; nl if empty
  roles             names separated by commas or semicolons, or a JSON array; none if empty
  enabled           true or false; true if empty
  websiteOrderInfo  free text
  totpSecret        base32 (SHA-1, 6 digits, 30 seconds): the second factor is active; stored encrypted

Examples:
  $ npm run cli -- import-users accounts.csv --dry-run
  $ npm run cli -- import-users accounts.csv 2> refused.txt
  $ npm run cli -- import-users export.txt --format jsonl --json`,
);

interface UserImportCommandOptions extends ImportOptions {
  readonly contacts?: boolean;
}

export const declareImportUsers = (cli: CommandLine): void =>
  declareImport<ImportedUser, UserImportCommandOptions>(cli, {
    name: 'import-users',
    help: HELP,
    options: [new Option('--no-contacts', 'give users no contact: import-contacts brings theirs')],
    rows: ({ settings, isTrial, options: { contacts = true } }) =>
      importOfNewRecords(userImport({ secretsKey: secretsKeyOf(settings), withContacts: contacts }), isTrial),
    tables: ['users', 'contacts'],
    alone: { lock: 7_218_450_010, what: 'users' },
  });
