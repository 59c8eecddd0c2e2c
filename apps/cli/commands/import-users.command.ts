import { commandHelp, type CommandLine } from '../command';
import { declareImport } from './import-command';
import { importUserFile } from './import-users';

const HELP = commandHelp(
  'take over users of the previous panel with their password hashes',
  `Takes over users of the previous panel. Each can log in with the old password; the first login replaces the old
hash with the service's own. A user whose name is an e-mail address gets it as a contact with all groups enabled.
Nobody is mailed or notified.

Rows are written in transactions of 500. A bad row is named on standard error and keeps no other from being taken over.
After an interruption run the same command again: users who are there already stay as they are.`,
  `Fields (columns of the csv header, or keys of each JSON object):
  organisationId    required; the organisation must exist
  username          required; an e-mail address, or a login name (served by Variant B only)
  firstName         required
  lastName          required
  passwordHash      required, or cp3Password: $1$, $5$, $6$, $2a$, $2b$ or $2y$
  language          nl, en or fr; nl if empty
  roles             names separated by commas or semicolons, or a JSON array; none if empty
  enabled           true or false; true if empty
  websiteOrderInfo  free text

Examples:
  $ npm run cli -- import-users accounts.csv --dry-run
  $ npm run cli -- import-users accounts.csv 2> refused.txt
  $ npm run cli -- import-users export.txt --format jsonl --json`,
);

export const declareImportUsers = (cli: CommandLine): void =>
  declareImport(cli, 'import-users', HELP, importUserFile);
