import { type Command, Option } from 'commander';
import { readSettings } from '@app/config/env';
import type { Settings } from '@app/config/settings';
import { ensureOperatorOrganisation } from '@app/people/organisations/organisation.types';
import { secretsKeyOf } from '@app/security/secrets/encryption';
import { commandHelp, type CommandLine, type TrialOptions } from '../command';
import type { CommandRun } from '../database';
import type { ImportKind, RowKind, RowWriter } from '../imports/import-kind';
import { CommandFailed, type Outcome } from '../outcome';
import { RefusedRows } from '../rows/refused-rows';
import type { ImportRun } from '../rows/row-import';
import { type Format, FORMATS, SourceFile } from '../rows/source-file';
import { interruption } from '../terminal';

interface ImportOptions extends TrialOptions {
  readonly format?: Format;
  readonly ignoreUnknown?: boolean;
  readonly contacts?: boolean;
  readonly refused?: string;
}

type AnyKind = ImportKind<unknown, unknown> | (RowKind<unknown> & RowWriter<unknown>);

/** A command that imports the rows of a file. It is called `import-` and its name. */
interface ImportCommand {
  readonly text: string;
  /** The fields for `--help`, one line each. */
  readonly fields: string;
  /** Examples of the command line, without the common part. */
  readonly examples: readonly string[];
  readonly options?: readonly Option[];
  /** Loads the kind. Help does not need it. */
  readonly kind: (settings: Settings, options?: ImportOptions) => Promise<AnyKind>;
  /** Runs first, except in a trial. */
  readonly begin?: (run: CommandRun) => Promise<void>;
  /** Tables whose statistics the planner needs again after many new rows. */
  readonly tables: readonly string[];
  /**
   * An advisory lock, and what it protects: two such imports at once would take each
   * other's rows for repeated ones.
   */
  readonly alone?: { readonly lock: number; readonly what: string };
}

const IN_BATCHES = `Rows are written in transactions of 500. A bad row is reported on standard error and does not stop the others;
--refused writes all bad rows to a file with a column "reason", to be corrected and imported. After an interruption run
the same command again:`;
const REPEATED = `${IN_BATCHES} a record that exists with the values of its row counts as done, with other values as a
bad row.`;

type ImportName =
  'organisations' | 'users' | 'contacts' | 'sshkeys' | 'apikeys' | 'entities' | 'grants' | 'teams';

/** By name, in the order of a migration from the previous panel. */
const IMPORTS: Readonly<Record<ImportName, ImportCommand>> = {
  organisations: {
    text: `Imports organisations of the previous panel, which keep their identifiers; new organisations get higher ones.
The order of the rows does not matter. The whole tree is checked before anything is written: an organisation is refused if
its link leads to nothing, forms a circle or is too far from the operator organisation (32), and so is everything
beneath it.

${REPEATED}`,
    fields: `  id                    required; the organisation keeps it
  name, taxNumber       required
  parentOrganisation    id; the operator organisation (1) if empty
  resellerOrganisation  id; none if empty
  street, houseNumber, zip, city, country (NL)
  organisationType      1 Customer, 2 Reseller, 3 Operator; 1 if empty
  required2fa, testAccount, mustPayTax, pdfInvoice, updateEntitiesOnly, preventDeactivation, bundleProRata,
  peppolInvoicing, isSoft, prePaymentRequired
                        true or false; as of a new organisation if empty
  externalId, externalInfoRequired, information, agencyMode, pricegroup, paymentperiod, documentInterval, discount,
  commissionFactor, resellerKickback, defaultResellerKickback, source1, source2, remarksToPrintInvoice,
  beforeFirstOrder, nextInvoiceRun (Unix seconds), defaultAgreements (in csv as JSON text), invoiceDayMin, invoiceDayMax`,
    examples: ['organisations.csv --dry-run', 'organisations.csv --refused refused.csv'],
    kind: async () => (await import('../imports/organisation-import.js')).organisationImport,
    begin: ({ ctx, transactions }) => transactions.run(ctx, ensureOperatorOrganisation),
    tables: ['organisations', 'organisation_closure'],
    alone: { lock: 7_218_450_011, what: 'organisations' },
  },
  users: {
    text: `Imports users of the previous panel. Each can log in with the old password; the first login replaces the old
hash with the service's own. A user whose name is an e-mail address gets it as a contact with all groups enabled.
Nobody is mailed or notified.

${IN_BATCHES} existing users do not change.`,
    fields: `  id                the user's number, which it keeps; a new one if empty
  organisationId    required; the organisation must exist
  username          required; an e-mail address, or a login name (Variant A keeps it, and takes none as a new name)
  firstName         required
  lastName          required
  passwordHash      required, or cp3Password: $1$, $5$, $6$, $2a$, $2b$ or $2y$
  language          nl, en or fr; nl if empty
  roles             names separated by commas or semicolons, or a JSON array; none if empty
  enabled           true or false; true if empty
  websiteOrderInfo  free text
  totpSecret        base32 (SHA-1, 6 digits, 30 seconds): the second factor is active; stored encrypted`,
    examples: [
      'accounts.csv --dry-run',
      'accounts.csv --refused refused.csv',
      'export.txt --format jsonl --json',
    ],
    options: [new Option('--no-contacts', 'do not add contacts: import-contacts imports them')],
    kind: async (settings, { contacts: withContacts = true } = {}) => {
      const { userImport } = await import('../imports/user-import.js');
      return userImport(secretsKeyOf(settings), withContacts);
    },
    tables: ['users', 'contacts'],
    alone: { lock: 7_218_450_010, what: 'users' },
  },
  contacts: {
    text: `Imports the contacts of users, and of organisations themselves. Nobody is mailed or notified. import-users
makes each user's own address a contact with all groups: run it with --no-contacts where this file has that address too.

${REPEATED}`,
    fields: `  username, userId or organisationId
               exactly one: whose contact it is
  type         required; email, phone or slack
  name         required; the address
  preferences  groups that are enabled, separated by commas or semicolons; none if empty`,
    examples: ['contacts.csv --dry-run', 'contacts.csv --refused refused.csv'],
    kind: async () => (await import('../imports/contact-import.js')).contactImport,
    tables: ['contacts'],
    alone: { lock: 7_218_450_012, what: 'contacts' },
  },
  sshkeys: {
    text: `Imports SSH keys of users, and of organisations themselves (deploy keys). Nobody is mailed or notified.

${REPEATED}`,
    fields: `  username, userId or organisationId
               exactly one: whose key it is
  content      required; one line in the form of OpenSSH
  description  the comment of the key, or its type and fingerprint, if empty`,
    examples: ['sshkeys.csv --dry-run', 'sshkeys.csv --refused refused.csv'],
    kind: async () => (await import('../imports/ssh-key-import.js')).sshKeyImport,
    tables: ['ssh_keys'],
    alone: { lock: 7_218_450_013, what: 'SSH keys' },
  },
  apikeys: {
    text: `Imports API keys of users as their SHA-256: programs keep their keys, and nobody learns the values.
A key may have any form of at most 256 characters. Nobody is mailed or notified.

${REPEATED}`,
    fields: `  username or userId
             exactly one: whose key it is
  name       required
  digest     required; the SHA-256 of the key as 64 hex digits: printf %s "$KEY" | sha256sum
  whitelist  addresses and CIDR ranges separated by commas or semicolons, or a JSON array; any address if empty
  expires    Unix seconds, at most API_KEY_TTL from now on; that long if empty`,
    examples: ['apikeys.csv --dry-run', 'apikeys.csv --refused refused.csv'],
    kind: async ({ apiKeyTtl }) => (await import('../imports/api-key-import.js')).apiKeyImport(apiKeyTtl),
    tables: ['api_keys'],
    alone: { lock: 7_218_450_014, what: 'API keys' },
  },
  entities: {
    text: `Updates the register of apps, domains, mail groups and systems that the entity overview shows. An entity that
exists with this kind and id is updated; with removed true it is removed, also from all teams. A bad row does not stop the
others.`,
    fields: `  kind            required; app, domain, mailgroup or system
  id              required; the entity's number in the area that manages it
  name            required unless removed; of a domain with its extension
  organisationId  required unless removed; the organisation must exist
  removed         true for an entity that is gone; it needs only kind and id
  domains         of a mail group: a list (in csv as JSON text) of
                  {"id": 7, "name": "example", "mailPrimary": true, "domaintype": {"id": 1, "name": "nl", "extension": "nl"}}`,
    examples: ['entities.jsonl', 'entities.csv --dry-run'],
    kind: async () => (await import('../imports/entity-import.js')).entityImport,
    tables: ['entities'],
  },
  grants: {
    text: `Imports grants between organisations: an organisation lets another one read it, or work on its records. A row
may be a record of acls of Variant B as it is. Nobody is mailed or notified.

${REPEATED}`,
    fields: `  id              the grant's number, which it keeps; a new one if empty
  organisationId  required, or objectId: the organisation that gives access
  granteeId       required, or organisation, a number or {"id": 7, "name": "…"} (in csv as JSON text): who receives it
  access          read or manage; read if empty
  expires         when it ends, in Unix seconds and in the future; it does not end by itself if empty
  object          organisation or empty: nothing else can be granted
  type            of acls; ignored
  permissions, extra
                  of acls: empty, or the row also has access, because the description gives no value a meaning`,
    examples: ['acls.jsonl --dry-run', 'grants.csv --refused refused.csv'],
    kind: async () => (await import('../imports/grant-import.js')).grantImport,
    tables: ['acls'],
    alone: { lock: 7_218_450_015, what: 'grants' },
  },
  teams: {
    text: `Imports teams with their members and their records: apps, domains, mail groups and systems of the register. Import
users, entities and grants first. Nobody is mailed or notified.

${REPEATED}`,
    fields: `  id              the team's number, which it keeps; a new one if empty
  organisationId  required; the organisation must exist
  name            required; unique in the organisation
  autoAddSshkey   true or false; false if empty
  members         user names and ids of users of the organisation; digits alone are an id
  apps, domains, mailgroups, systems
                  ids of records that the organisation owns, or may read by a grant
                  Items of these lists are separated by commas or semicolons; in JSON lines also an array`,
    examples: ['teams.csv --dry-run', 'teams.csv --refused refused.csv'],
    kind: async () => (await import('../imports/team-import.js')).teamImport,
    tables: ['teams', 'team_members', 'team_entities'],
    alone: { lock: 7_218_450_016, what: 'teams' },
  },
};

export function declare(cli: CommandLine, name: string): void {
  const declaration = IMPORTS[name.replace('import-', '') as ImportName];
  const { text, fields, examples, options = [] } = declaration;
  const after = `Fields (columns of the csv header, or keys of each JSON object):\n${fields}\n
Examples:\n${examples.map((example) => `  $ npm run cli -- ${name} ${example}`).join('\n')}`;
  const command = withFileOptions(
    cli
      .command(name, commandHelp(text, after), 'dry-run')
      .argument('<file>', 'csv with a header, or JSON lines'),
  );
  command.option(
    '--refused <file>',
    'write refused rows with their reasons to this file, readable only by its owner',
  );
  for (const option of options) command.addOption(option);
  command.action(async (path: string, given: ImportOptions) => {
    const { dryRun: isTrial = false, ignoreUnknown = false, format } = given;
    const file = await SourceFile.open(path, format);
    const signal = interruption();
    const kind = await declaration.kind(readSettings(), given);
    const refusedRows = given.refused === undefined ? undefined : await RefusedRows.create(given.refused);
    try {
      await cli.run((run) =>
        alone(declaration, run, () =>
          importRows(declaration, kind, { ...run, file, isTrial, ignoreUnknown, signal, refusedRows }),
        ),
      );
    } finally {
      await refusedRows?.close();
    }
  });
}

/** The options for reading files of rows. */
const withFileOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--format <format>', 'needed if the name of the file does not show it').choices(FORMATS),
    )
    .option('--ignore-unknown', 'leave out unknown columns and fields', false);

async function importRows({ begin, tables }: ImportCommand, kind: AnyKind, run: ImportRun): Promise<Outcome> {
  const { NewRecordWriter } = await import('../rows/new-records.js');
  const { RowImporter } = await import('../rows/row-importer.js');
  const importer = new RowImporter(
    kind,
    'store' in kind ? kind : new NewRecordWriter(kind, run.isTrial),
    run,
  );
  if (run.isTrial) return importer.import();
  await begin?.(run);
  const outcome = await importer.import();
  for (const table of tables) await run.dataSource.query(`ANALYZE ${table}`);
  return outcome;
}

async function alone(
  { alone: guard }: ImportCommand,
  { dataSource }: CommandRun,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  if (guard === undefined) return work();
  const runner = dataSource.createQueryRunner();
  try {
    const [{ isLocked }] = (await runner.query(
      `SELECT pg_try_advisory_lock(${guard.lock}) AS "isLocked"`,
    )) as [{ isLocked: boolean }];
    if (!isLocked) {
      throw new CommandFailed(
        `another import of ${guard.what} runs on this database: wait until it has ended`,
      );
    }
    return await work();
  } finally {
    // The command then closes its connections, and the lock ends with this one.
    await runner.release();
  }
}
