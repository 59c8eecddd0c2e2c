import { Command, CommanderError } from 'commander';
import { OutcomeUnknown } from '@app/platform/errors/api-error';
import { apiErrorOfDatabaseError } from '@app/platform/errors/sqlstate';
import { BUILD } from '@app/platform/process/build';
import { explain } from '@app/platform/process/run-process';
import { CommandLine, unwrapped } from './command';
import { declareAfterRestore } from './commands/after-restore.command';
import { declareAudit } from './commands/audit.command';
import { declareCreateAdmin } from './commands/create-admin.command';
import { declareDoctor } from './commands/doctor.command';
import { declareImportReport } from './commands/import-report.command';
import { declareImports } from './commands/import.commands';
import { declareLogins } from './commands/logins.command';
import { declareMail } from './commands/mail.command';
import { declarePerson } from './commands/person.command';
import { declareRotateSecrets } from './commands/rotate-secrets.command';
import { declareDatabaseRoleSettings, declareMigrate } from './commands/schema.commands';
import { declareUser } from './commands/user.command';
import { declareVariants } from './commands/variants.command';
import { declareVerify } from './commands/verify/verify.command';
import { EXIT, type ExitCode, WrongUse } from './outcome';
import { Terminal } from './terminal';

/** Every command, in the order of `--help`. Each reads the settings only when it runs, so that help needs none. */
const COMMANDS: readonly ((cli: CommandLine) => void)[] = [
  declareMigrate,
  declareCreateAdmin,
  declareImports,
  declareImportReport,
  declareRotateSecrets,
  declareUser,
  declareLogins,
  declareAudit,
  declareMail,
  declareVerify,
  declareDoctor,
  declareAfterRestore,
  declarePerson,
  declareVariants,
  declareDatabaseRoleSettings,
];

const DESCRIPTION = `The operator's commands of the account API.

They work on the database that the service works on, and read the same settings: DATABASE_URL with SECRETS_KEY, or
without them the embedded PostgreSQL under DATA_DIR (.data). All may be run while the service runs. Every command but
"migrate" wants the schema of the database to be up to date.`;

const EPILOGUE = `
Exit codes:
  0  done
  1  failed: the last line on standard error says what to do
  2  wrong use: a command, an option or the form of a file is not as --help says; nothing was changed
  3  done, but for rows that were refused, each named on standard error; or "verify" found that something does not agree

Results go to standard output (as one line of JSON with --json), everything else to standard error.

Examples:
  $ npm run cli -- migrate
  $ npm run cli -- create-admin --username jan@operator.example
  $ npm run cli -- import-users accounts.csv --dry-run
  $ npm run cli -- help import-users`;

/** Runs one command; returns the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<ExitCode> {
  const terminal = new Terminal();
  let exitCode: ExitCode = EXIT.ok;
  const program = new Command('cli')
    .description(unwrapped(DESCRIPTION))
    .addHelpText('after', EPILOGUE)
    .version(BUILD.version, '--version', 'show the version')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: (text) => terminal.say(oneLine(text)) });
  const cli = new CommandLine(program, terminal, (outcome, asJson) => {
    exitCode = outcome.exitCode;
    const lines = asJson ? [JSON.stringify(outcome.report)] : outcome.lines;
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  });
  for (const declare of COMMANDS) declare(cli);
  declareHelp(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return exitCodeOf(error, terminal);
  }
}

/** Unlike commander's own help command it also shows a command of a group. */
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

function exitCodeOf(error: unknown, terminal: Terminal): ExitCode {
  // commander has printed its message already; a call for help is right, a call without a command is wrong.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.wrongUse;
  for (const line of linesOf(error)) terminal.say(`error: ${line}`);
  return error instanceof WrongUse ? EXIT.wrongUse : EXIT.failed;
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof OutcomeUnknown) return [error.message];
  const isUnavailable = apiErrorOfDatabaseError(error)?.status === 503;
  return isUnavailable
    ? explain(error).map((line) => `${line}: run the same command again in a moment`)
    : explain(error);
}

/** commander puts a suggestion on a second line. */
const oneLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, ' ');
