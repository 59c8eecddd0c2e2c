import { contactImport } from '@app/contacts/contact-import';
import { commandHelp, type CommandLine } from '../command';
import { importOfNewRecords } from '../rows/new-records';
import { declareImport } from './import-command';

const HELP = commandHelp(
  'take over contacts of users and organisations of the previous panel',
  `Takes over the contacts of users, and of organisations themselves. Nobody is mailed or notified. Users who come with
import-users have their own address as a contact already, with all groups: import them with --no-contacts where this
file has it too.

Rows are written in transactions of 500. A bad row is named on standard error and keeps no other from being taken over.
After an interruption run the same command again: a contact that is there already as its row says is done, one that is
there otherwise is named as a bad row.`,
  `Fields (columns of the csv header, or keys of each JSON object):
  username, userId or organisationId
               exactly one: whose contact it is
  type         required; email, phone or slack
  name         required; the address
  preferences  groups that are enabled, separated by commas or semicolons; none if empty

Examples:
  $ npm run cli -- import-contacts contacts.csv --dry-run
  $ npm run cli -- import-contacts contacts.csv 2> refused.txt`,
);

export const declareImportContacts = (cli: CommandLine): void =>
  declareImport(cli, {
    name: 'import-contacts',
    help: HELP,
    rows: ({ isTrial }) => importOfNewRecords(contactImport, isTrial),
    tables: ['contacts'],
    alone: { lock: 7_218_450_012, what: 'contacts' },
  });
