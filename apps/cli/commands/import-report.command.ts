import { apiKeyImport } from '@app/apikeys/api-key-import';
import { contactImport } from '@app/contacts/contact-import';
import type { ImportKind } from '@app/core/imports/import-kind';
import { secretsKeyOf } from '@app/core/secrets/secrets-key';
import type { Settings } from '@app/core/settings/settings';
import { organisationImport } from '@app/organisations/organisation-import';
import { sshKeyImport } from '@app/sshkeys/ssh-key-import';
import { readSettings } from '../../../config/env';
import { commandHelp, type CommandLine } from '../command';
import { interruption } from '../interruption';
import { WrongUse } from '../outcome';
import { importOfNewRecords } from '../rows/new-records';
import type { RowImport } from '../rows/row-import';
import { SourceFile } from '../rows/source-file';
import { withFileOptions, type ImportOptions } from './import-command';
import { entityRows } from './import-entities';
import { compareFiles } from './import-report';
import { userImport } from './import-users';

const HELP = commandHelp(
  'compare the files of a move with the database: what is there, missing, different',
  `Compares the files that were taken over with the database, row by row, and changes nothing. Every row that is not
there as the file says is named on standard error with its line: missing, different (with the fields, never their
values), or bad, which no import takes. What a row leaves out counts as its default. A password hash that a login has
renewed since is no difference.`,
  `Fields are those of the imports, see for example "help import-users".

Examples:
  $ npm run cli -- import-report --organisations organisations.csv --users accounts.csv
  $ npm run cli -- import-report --contacts contacts.csv --sshkeys sshkeys.csv --apikeys apikeys.csv --json`,
);

interface ReportOptions extends ImportOptions {
  readonly [file: string]: unknown;
}

interface ComparedKind {
  readonly rows: (settings: Settings) => RowImport<unknown>;
  readonly count: string;
}

const compared = <Row, NewRecord>(
  kind: (settings: Settings) => ImportKind<Row, NewRecord>,
  count: string,
): ComparedKind => ({
  rows: (settings) => importOfNewRecords(kind(settings), true),
  count: `SELECT count(*)::integer AS count FROM ${count}`,
});

/** By the option that names the file, in the order of a move. */
const KINDS: Readonly<Record<string, ComparedKind>> = {
  organisations: compared(() => organisationImport, 'organisations WHERE deleted_at IS NULL'),
  users: compared(
    (settings) => userImport({ secretsKey: secretsKeyOf(settings), withContacts: false }),
    'users WHERE deleted_at IS NULL',
  ),
  contacts: compared(() => contactImport, 'contacts'),
  sshkeys: compared(() => sshKeyImport, 'ssh_keys'),
  apikeys: compared(({ apiKeyTtl }) => apiKeyImport(apiKeyTtl), 'api_keys'),
  entities: {
    rows: () => entityRows,
    count: 'SELECT count(*)::integer AS count FROM entities',
  },
};

export function declareImportReport(cli: CommandLine): void {
  const command = withFileOptions(cli.command('import-report', HELP));
  for (const name of Object.keys(KINDS)) command.option(`--${name} <file>`, `the file of import-${name}`);
  command.action(async (options: ReportOptions) => {
    const { json = false, ignoreUnknown = false, format } = options;
    const chosen = Object.entries(KINDS).flatMap(([name, kind]) => {
      const path = options[name];
      return typeof path === 'string' ? [{ name, kind, path }] : [];
    });
    if (chosen.length === 0) throw new WrongUse(`name a file: --${Object.keys(KINDS).join(', --')}`);
    const settings = readSettings();
    const signal = interruption();
    const { terminal } = cli;
    const files = await Promise.all(
      chosen.map(async (file) => ({ ...file, source: await SourceFile.open(file.path, format) })),
    );
    await cli.run('import-report', json, (database) =>
      compareFiles(
        files.map(({ name, kind, source }) => ({
          name,
          rows: kind.rows(settings),
          count: kind.count,
          run: { database, file: source, terminal, ignoreUnknown, signal },
        })),
      ),
    );
  });
}
