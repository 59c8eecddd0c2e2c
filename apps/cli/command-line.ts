import { Command, CommanderError } from 'commander';
import { BUILD } from '@app/platform/process/build';
import { asCalled, CommandLine, unwrapped } from './command';
import { EXIT, type ExitCode, WrongUse } from './outcome';
import { Terminal } from './terminal';

/** Declares a command with its options and its action. `name` distinguishes commands of one module. */
type DeclareCommand = (cli: CommandLine, name: string) => void;

/**
 * Every command in the order of `--help`, with its summary. Only the called command is loaded, and it reads
 * the settings only when it runs, so that help needs no settings.
 */
const COMMANDS: Readonly<Record<string, string>> = {
  'migrate [options]': 'bring the schema of the database up to date',
  'create-admin [options]': 'create a user who may do everything',
  'import-organisations [options] <file>':
    'import organisations of the previous panel with their identifiers',
  'import-users [options] <file>': 'import users of the previous panel with their password hashes',
  'import-contacts [options] <file>': 'import contacts of users and organisations of the previous panel',
  'import-sshkeys [options] <file>': 'import SSH keys of users, and deploy keys of organisations',
  'import-apikeys [options] <file>':
    'import API keys as digests, so that programs go on with the keys they have',
  'import-entities [options] <file>': 'update the register of apps, domains, mail groups and systems',
  'rotate-secrets [options]': 'encrypt stored secrets anew with the first key of SECRETS_KEY',
  user: 'let a user in again',
  logins: 'list and revoke the logins of a user',
  'audit [options]': 'show and export who changed what',
  mail: 'show mails',
  'verify [options]': 'check that what is stored twice agrees, and repair it',
  'doctor [options]': 'check settings, database, mail server and addresses, and say what to do',
  'after-restore [options]': 'make a database safe that was restored from a backup',
  person: 'answer privacy requests: export or erase a person',
  variants: 'show who calls Variant B, and end it',
  'database-role-settings [options]':
    'give the role of the service its time limits, for a pooler in transaction mode',
};

/** A command has a file of its own, except for the imports. */
async function load(name: string): Promise<DeclareCommand> {
  const file = name.startsWith('import-') ? 'import.commands' : `${name}.command`;
  const { declare } = (await import(`./commands/${file}.js`)) as { readonly declare: DeclareCommand };
  return declare;
}

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
  for (const [usage, summary] of Object.entries(COMMANDS)) {
    const [name = ''] = usage.split(' ', 1);
    if (name === called) (await load(name))(cli, name);
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
