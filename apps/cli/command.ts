import { type Command, InvalidArgumentError } from 'commander';
import { COMMAND_LINE, readSettings } from '@app/config/env';
import type { DatabaseLimits } from '@app/platform/database/database-limits';
import { composed } from '@app/platform/dto/composed-text';
import type { CommandRun } from './database';
import type { Outcome } from './outcome';
import type { Terminal } from './terminal';

/** The option of commands that can write nothing. */
export interface TrialOptions {
  readonly dryRun?: boolean;
}

/** What `--help` shows for a command. */
export interface CommandHelp {
  readonly text: string;
  /** Fields and examples, after the options. */
  readonly after: string;
  /** Text in the list of the group. command-line.ts has the list of all commands. */
  readonly summary?: string;
}

export const commandHelp = (text: string, after = ''): CommandHelp => ({ text: unwrapped(text), after });

/** Help of a command in a group. */
export const memberHelp = (summary: string, text: string, after: string): CommandHelp => ({
  ...commandHelp(text, after),
  summary,
});

/** Joins each paragraph into one line, because commander breaks them to the width of the terminal. */
export function unwrapped(text: string): string {
  return text.replaceAll(/(?<!\n)\n(?!\n)/g, ' ');
}

/** Examples that call the command line by the command of this installation. */
export const asCalled = (examples: string): string =>
  COMMAND_LINE === NPM ? examples : examples.replaceAll(/npm run (?:--silent )?cli --/g, COMMAND_LINE);

const NPM = 'npm run cli --';

/** Declares commands and runs them. */
export class CommandLine {
  private called: Command;

  constructor(
    private readonly parent: Command,
    readonly terminal: Terminal,
    private readonly print: (outcome: Outcome, asJson: boolean) => void,
  ) {
    this.called = parent;
    parent.hook('preAction', (_, called) => {
      this.called = called;
      composeTexts(called);
    });
  }

  command(name: string, { text, after, summary = '' }: CommandHelp, ...options: 'dry-run'[]): Command {
    const command = this.parent.command(name).summary(summary).description(text);
    if (after !== '') command.addHelpText('after', `\n${asCalled(after)}`);
    if (options.includes('dry-run'))
      command.option('--dry-run', 'find out what would be done, but write nothing');
    return command.option('--json', 'write the result as one line of JSON');
  }

  /** A command that only groups other commands. */
  group(name: string, text: string): CommandLine {
    const parent = this.parent.command(name).description(text);
    return new CommandLine(parent, this.terminal, this.print);
  }

  /**
   * Runs the called command on the database. Prints its outcome, unless the command has
   * written the result itself.
   */
  async run(work: (run: CommandRun) => Promise<Outcome | void>, limits?: DatabaseLimits): Promise<void> {
    const { withDatabase } = await import('./database.js');
    const outcome = await withDatabase(nameOf(this.called), readSettings(), this.terminal, work, limits);
    if (outcome !== undefined) this.report(outcome);
  }

  report(outcome: Outcome): void {
    this.print(outcome, this.called.opts<{ json?: boolean }>().json === true);
  }
}

/** The arguments that may be paths of files, which the file system compares as they are. */
const PATHS = new Set(['file', 'mail']);

/**
 * Composes what was called with, as the texts of requests are, but not the paths of
 * files (rule requests 22).
 */
function composeTexts(called: Command): void {
  called.registeredArguments.forEach((argument, position) => {
    const text: unknown = called.processedArgs[position];
    if (typeof text === 'string' && !PATHS.has(argument.name()))
      called.processedArgs[position] = composed(text);
  });
  for (const option of called.options) {
    const name = option.attributeName();
    const text: unknown = called.getOptionValue(name);
    if (typeof text === 'string' && !option.flags.endsWith('<file>'))
      called.setOptionValueWithSource(name, composed(text), called.getOptionValueSource(name));
  }
}

/** The name of a command, after the names of its groups. */
const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

/** Reads the value of an option with an identifier. */
export function identifier(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (id < 1 || id > 2_147_483_647) throw new InvalidArgumentError('It must be an identifier.');
  return id;
}

const MILLISECONDS_PER_UNIT: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const DATE_AND_TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?<zone>Z|[+-]\d\d:\d\d)?)?$/;

/**
 * `90s`, `15m`, `24h` or `7d` ago, or a date (its start), or a date and time. UTC, unless it has an offset.
 */
export function pointInTime(text: string, now = Date.now()): Date {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit !== undefined) return new Date(now - Number(count) * (MILLISECONDS_PER_UNIT[unit] ?? 0));
  const match = DATE_AND_TIME.exec(text);
  // Without an offset JavaScript reads a date as UTC, but a date with a time as local time.
  const isLocal = match !== null && text.includes('T') && match.groups?.['zone'] === undefined;
  const time = match === null ? Number.NaN : Date.parse(isLocal ? `${text}Z` : text);
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError('Use 15m, 24h or 7d, or a date such as 2026-11-21 or 2026-11-21T08:00.');
  }
  return new Date(time);
}
