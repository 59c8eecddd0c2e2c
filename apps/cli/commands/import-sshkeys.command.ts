import { sshKeyImport } from '@app/sshkeys/ssh-key-import';
import { commandHelp, type CommandLine } from '../command';
import { importOfNewRecords } from '../rows/new-records';
import { declareImport } from './import-command';

const HELP = commandHelp(
  'take over SSH keys of users, and deploy keys of organisations',
  `Takes over SSH keys of users, and of organisations themselves (deploy keys). Nobody is mailed or notified.

Rows are written in transactions of 500. A bad row is named on standard error and keeps no other from being taken over.
After an interruption run the same command again: a key that is there already as its row says is done, one that is
there otherwise is named as a bad row.`,
  `Fields (columns of the csv header, or keys of each JSON object):
  username, userId or organisationId
               exactly one: whose key it is
  content      required; one line in the form of OpenSSH
  description  the comment of the key, or its type and fingerprint, if empty

Examples:
  $ npm run cli -- import-sshkeys sshkeys.csv --dry-run
  $ npm run cli -- import-sshkeys sshkeys.csv 2> refused.txt`,
);

export const declareImportSshKeys = (cli: CommandLine): void =>
  declareImport(cli, {
    name: 'import-sshkeys',
    help: HELP,
    rows: ({ isTrial }) => importOfNewRecords(sshKeyImport, isTrial),
    tables: ['ssh_keys'],
    alone: { lock: 7_218_450_013, what: 'SSH keys' },
  });
