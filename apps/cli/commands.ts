import { InvalidArgumentError, Option, type Command } from 'commander';
import { MAX_INTEGER } from '@app/core/wire/fields';
import { LANGUAGES, type Language } from '@app/users/user.entity';
import { readSettings } from '../../config/env';
import { secretsKeyOf } from '../api/secrets-key';
import type { Report } from './command-line';
import { exportAudit } from './commands/audit';
import { checkNewAdmin, createAdmin } from './commands/create-admin';
import { importEntityFile } from './commands/import-entities';
import { importUserFile } from './commands/import-users';
import { listLogins, revokeLogins } from './commands/logins';
import { migrateDatabase } from './commands/migrate';
import { pointInTime } from './commands/point-in-time';
import { rotateSecrets } from './commands/rotate-secrets';
import { withDatabase, withDatabaseUrl, type Database } from './database';
import { HELP } from './help';
import { interruption } from './interruption';
import type { Outcome } from './outcome';
import { readLine } from './read-line';
import type { ImportRun } from './rows/row-import';
import { FORMATS, SourceFile, type Format } from './rows/source-file';
import type { Terminal } from './terminal';

interface CommonOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

interface ImportFlags extends CommonOptions {
  readonly format?: Format;
  readonly ignoreUnknown?: boolean;
}

interface AdminFlags extends CommonOptions {
  readonly username: string;
  readonly password?: string;
  readonly passwordStdin?: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: Language;
}

interface AuditFlags extends CommonOptions {
  readonly user?: string;
  readonly organisation?: number;
  readonly table?: string;
  readonly record?: number;
  readonly since?: Date;
  readonly until?: Date;
  readonly limit?: number;
  readonly csv?: string;
}

/** Declares every command; each reads the settings only when it runs, so that help needs none. */
export function declareCommands(program: Command, terminal: Terminal, report: Report): void {
  new Commands(program, terminal, report).declare();
}

class Commands {
  constructor(
    private readonly program: Command,
    private readonly terminal: Terminal,
    private readonly report: Report,
  ) {}

  declare(): void {
    this.declareMigrate();
    this.declareCreateAdmin();
    this.declareImport('import-users', importUserFile);
    this.declareImport('import-entities', importEntityFile);
    this.declareRotateSecrets();
    this.declareLogins();
    this.declareAudit();
  }

  private declareMigrate(): void {
    this.command(this.program, 'migrate', 'dry-run').action(
      async ({ json = false, dryRun = false }: CommonOptions) => {
        const outcome = await withDatabaseUrl(readSettings(), this.terminal, (databaseUrl) =>
          migrateDatabase(databaseUrl, dryRun),
        );
        this.report(outcome, json);
      },
    );
  }

  private declareCreateAdmin(): void {
    this.command(this.program, 'create-admin')
      .requiredOption('--username <address>', 'e-mail address to log in with')
      .addOption(
        new Option('--password <password>', 'others on the machine may see it').conflicts('passwordStdin'),
      )
      .option('--password-stdin', 'read the password from the first line of standard input')
      .option('--first-name <name>', 'first name', 'Operator')
      .option('--last-name <name>', 'last name', 'Admin')
      .addOption(new Option('--language <language>', 'of mails').choices(LANGUAGES).default('en'))
      .action(async ({ json = false, passwordStdin = false, ...flags }: AdminFlags) => {
        const { username, firstName, lastName, language } = flags;
        const password = passwordStdin ? await readLine(process.stdin) : flags.password;
        const admin = { username, password, firstName, lastName, language };
        checkNewAdmin(admin);
        const { bcryptCost } = readSettings();
        await this.run('create-admin', json, (database) => createAdmin(database, bcryptCost, admin));
      });
  }

  private declareImport(
    name: 'import-users' | 'import-entities',
    importFile: (run: ImportRun, options: { ignoreUnknown: boolean }) => Promise<Outcome>,
  ): void {
    this.command(this.program, name, 'dry-run')
      .argument('<file>', 'csv with a header, or JSON lines')
      .addOption(new Option('--format <format>', 'if the name of the file does not tell').choices(FORMATS))
      .option('--ignore-unknown', 'leave columns and fields that are not known out', false)
      .action(async (path: string, flags: ImportFlags) => {
        const { json = false, dryRun: isTrial = false, ignoreUnknown = false, format } = flags;
        const file = await SourceFile.open(path, format);
        const signal = interruption();
        const { terminal } = this;
        await this.run(name, json, (database) =>
          importFile({ database, file, terminal, isTrial, signal }, { ignoreUnknown }),
        );
      });
  }

  private declareRotateSecrets(): void {
    this.command(this.program, 'rotate-secrets', 'dry-run').action(
      async ({ json = false, dryRun: isTrial = false }: CommonOptions) => {
        const { terminal } = this;
        const signal = interruption();
        const secretsKey = secretsKeyOf(readSettings());
        await this.run('rotate-secrets', json, (database) =>
          rotateSecrets({ database, secretsKey, terminal, isTrial, signal }),
        );
      },
    );
  }

  private declareLogins(): void {
    const logins = this.program.command('logins').description(HELP.logins.text).summary(HELP.logins.summary);
    this.command(logins, 'list')
      .argument('<username>')
      .action(async (username: string, { json = false }: CommonOptions) => {
        const { loginIdleTtl } = readSettings();
        await this.run('logins list', json, (database) => listLogins(database, loginIdleTtl, username));
      });
    this.command(logins, 'revoke')
      .argument('<username>')
      .option('--id <number>', 'this login alone, as `logins list` names it', identifier)
      .action(async (username: string, { json = false, id }: CommonOptions & { id?: number }) => {
        await this.run('logins revoke', json, (database) => revokeLogins(database, username, id));
      });
  }

  private declareAudit(): void {
    this.command(this.program, 'audit')
      .option('--user <name>', 'changes that this user made')
      .option('--organisation <id>', 'changes of this organisation and what belongs to it', identifier)
      .option('--table <name>', 'changes of rows of this table')
      .option('--record <id>', 'changes of this row of the table', identifier)
      .option('--since <time>', 'from then on: 15m, 24h or 7d ago, or a date (UTC)', (text) =>
        pointInTime(text),
      )
      .option('--until <time>', 'before then', (text) => pointInTime(text))
      .option(
        '--limit <number>',
        'the newest ones alone (100, without a limit for --json and --csv)',
        identifier,
      )
      .addOption(
        new Option('--csv <file>', 'write csv into a new file; -: standard output').conflicts('json'),
      )
      .action(async ({ json = false, csv, ...flags }: AuditFlags) => {
        const { user: username, organisation: organisationId, record: recordId, ...rest } = flags;
        const search = { username, organisationId, recordId, ...rest };
        const form =
          csv === undefined
            ? ({ kind: json ? 'json' : 'lines' } as const)
            : ({ kind: 'csv', file: csv } as const);
        const { terminal } = this;
        await withDatabase('audit', readSettings(), terminal, (database) =>
          exportAudit(database, terminal, search, form),
        );
      });
  }

  private command(parent: Command, name: keyof typeof HELP, ...options: 'dry-run'[]): Command {
    const { summary, text, after } = HELP[name];
    const command = parent.command(name).summary(summary).description(text);
    if (after !== '') command.addHelpText('after', `\n${after}`);
    if (options.includes('dry-run'))
      command.option('--dry-run', 'find out what would be done, but write nothing');
    return command.option('--json', 'write the result as one line of JSON');
  }

  private async run(
    name: string,
    asJson: boolean,
    work: (database: Database) => Promise<Outcome>,
  ): Promise<void> {
    this.report(await withDatabase(name, readSettings(), this.terminal, work), asJson);
  }
}

function identifier(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (id < 1 || id > MAX_INTEGER) throw new InvalidArgumentError('It must be an identifier.');
  return id;
}
