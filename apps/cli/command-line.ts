import { Command, CommanderError } from 'commander';
import { BUILD } from '@app/platform/process/build';
import { asCalled, CommandLine, unwrapped } from './command';
import { EXIT, type ExitCode, WrongUse } from './outcome';
import { Terminal } from './terminal';

/** Declares a command with its options and its action. `name` distinguishes commands of one module. */
type DeclareCommand = (cli: CommandLine, name: string) => void;

interface ListedCommand {
  /** What `--help` says in the list of all commands. */
  readonly summary: string;
  readonly load: () => Promise<DeclareCommand>;
}

const loadImports = async (): Promise<DeclareCommand> =>
  (await import('./commands/import.commands.js')).declare;

/**
 * Every command in the order of `--help`. Only the called command is loaded, so that help is fast, and it
 * reads the settings only when it runs, so that help needs no settings.
 */
const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  'migrate [options]': {
    summary: 'bring the schema of the database up to date',
    load: async () => (await import('./commands/migrate.command.js')).declare,
  },
  'create-admin [options]': {
    summary: 'create a user who may do everything',
    load: async () => (await import('./commands/create-admin.command.js')).declare,
  },
  'import-organisations [options] <file>': {
    summary: 'import organisations of the previous panel with their identifiers',
    load: loadImports,
  },
  'import-users [options] <file>': {
    summary: 'import users of the previous panel with their password hashes',
    load: loadImports,
  },
  'import-contacts [options] <file>': {
    summary: 'import contacts of users and organisations of the previous panel',
    load: loadImports,
  },
  'import-sshkeys [options] <file>': {
    summary: 'import SSH keys of users, and deploy keys of organisations',
    load: loadImports,
  },
  'import-apikeys [options] <file>': {
    summary: 'import API keys as digests, so that programs go on with the keys they have',
    load: loadImports,
  },
  'import-entities [options] <file>': {
    summary: 'update the register of apps, domains, mail groups and systems',
    load: loadImports,
  },
  'import-grants [options] <file>': {
    summary: 'import grants between organisations, such as acls of Variant B',
    load: loadImports,
  },
  'import-teams [options] <file>': {
    summary: 'import teams with their members and records',
    load: loadImports,
  },
  'import-invitations [options] <file>': {
    summary: 'import open invitations and mail each a new link, so many an hour',
    load: loadImports,
  },
  'import-preferences [options] <file>': {
    summary: 'import how users like the panel to look',
    load: loadImports,
  },
  'rotate-secrets [options]': {
    summary: 'encrypt stored secrets anew with the first key of SECRETS_KEY',
    load: async () => (await import('./commands/rotate-secrets.command.js')).declare,
  },
  user: {
    summary: 'let a user in again',
    load: async () => (await import('./commands/user.command.js')).declare,
  },
  logins: {
    summary: 'list and revoke the logins of a user',
    load: async () => (await import('./commands/logins.command.js')).declare,
  },
  passkeys: {
    summary: 'end the passkeys of another domain',
    load: async () => (await import('./commands/passkeys.command.js')).declare,
  },
  'limits [options] <organisation>': {
    summary: 'give a customer more than the usual limits by the hour and day',
    load: async () => (await import('./commands/limits.command.js')).declare,
  },
  'audit [options]': {
    summary: 'show and export who changed what',
    load: async () => (await import('./commands/audit.command.js')).declare,
  },
  mail: {
    summary: 'show mails',
    load: async () => (await import('./commands/mail.command.js')).declare,
  },
  'verify [options]': {
    summary: 'check that what is stored twice agrees, and repair it',
    load: async () => (await import('./commands/verify.command.js')).declare,
  },
  'doctor [options]': {
    summary: 'check settings, database, mail server and addresses, and say what to do',
    load: async () => (await import('./commands/doctor.command.js')).declare,
  },
  'after-restore [options]': {
    summary: 'make a database safe that was restored from a backup',
    load: async () => (await import('./commands/after-restore.command.js')).declare,
  },
  person: {
    summary: 'answer privacy requests: export or erase a person',
    load: async () => (await import('./commands/person.command.js')).declare,
  },
  variants: {
    summary: 'show who calls Variant B, and end it',
    load: async () => (await import('./commands/variants.command.js')).declare,
  },
  'database-role-settings [options]': {
    summary: 'give the role of the service its time limits, for a pooler in transaction mode',
    load: async () => (await import('./commands/database-role-settings.command.js')).declare,
  },
};

const DESCRIPTION = `The operator's commands of the account API.

They read the settings of the service: DATABASE_URL with SECRETS_KEY, or without them the embedded PostgreSQL under
DATA_DIR (.data). You can run every command while the service runs. All except "migrate" need an up-to-date schema.`;

const EPILOGUE = `
Exit codes:
  0  done
  1  failed: the last line on standard error says what to do
  2  wrong command, option or file format; nothing was changed
  3  done except for refused rows, each reported on standard error; "verify": some data does not agree; "after-restore":
     the same, or a user could not be erased again; "doctor": there is a fault

Results go to standard output (as one line of JSON with --json), everything else to standard error.

Examples:
  $ npm run cli -- migrate
  $ npm run cli -- create-admin --username jan@operator.example
  $ npm run cli -- import-users accounts.csv --dry-run
  $ npm run cli -- help import-users`;

/** Runs one command. Returns the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<ExitCode> {
  const terminal = new Terminal();
  let exitCode: ExitCode = EXIT.ok;
  const program = new Command('cli')
    .description(unwrapped(DESCRIPTION))
    .addHelpText('after', asCalled(EPILOGUE))
    .version(BUILD.version, '--version', 'show the version')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: (text) => terminal.say(oneLine(text)) });
  const cli = new CommandLine(program, terminal, (outcome, asJson) => {
    exitCode = outcome.exitCode ?? EXIT.ok;
    const lines = asJson ? [JSON.stringify(outcome.report)] : outcome.lines;
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  });
  try {
    await declareCommands(program, cli, args);
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return await exitCodeOf(error, terminal);
  }
}

/** Declares the called command completely, and the others only as far as the list of commands shows them. */
async function declareCommands(program: Command, cli: CommandLine, args: readonly string[]): Promise<void> {
  const [called] = args.filter((arg) => !arg.startsWith('-') && arg !== 'help');
  for (const [usage, { summary, load }] of Object.entries(COMMANDS)) {
    const [name = ''] = usage.split(' ', 1);
    if (name === called) (await load())(cli, name);
    else {
      const listed = program.command(usage.replace(' [options]', ''));
      if (usage.includes('[options]')) listed.option('--json');
    }
    program.commands.at(-1)?.summary(summary);
  }
  declareHelp(program);
}

/** Unlike commander's own help command, it also shows a command of a group. */
function declareHelp(program: Command): void {
  program
    .command('help')
    .summary('show what a command does and how it is used')
    .argument('[command...]')
    .action((names: readonly string[]) => {
      let topic = program;
      for (const name of names) {
        const next = topic.commands.find((command) => command.name() === name);
        if (next === undefined) return topic.error(`error: unknown command '${name}'`);
        topic = next;
      }
      topic.help();
    });
}

async function exitCodeOf(error: unknown, terminal: Terminal): Promise<ExitCode> {
  // commander has printed its message already. A call for help succeeds; a call without a command fails.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.wrongUse;
  const { failureLines } = await import('./refusal.js');
  for (const line of failureLines(error)) terminal.say(`error: ${line}`);
  return error instanceof WrongUse ? EXIT.wrongUse : EXIT.failed;
}

/** commander puts a suggestion on a second line. */
const oneLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, ' ');
