import { InvalidArgumentError, type Command } from 'commander';
import type { DatabaseLimits } from '@app/core/database/database-limits';
import { MAX_INTEGER } from '@app/core/wire/field.decorators';
import { readSettings } from '../../config/env';
import { withDatabase, type Database } from './database';
import type { Outcome } from './outcome';
import type { Terminal } from './terminal';

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

/** What `--help` teaches of a command. */
export interface CommandHelp {
  /** In the list of commands. */
  readonly summary: string;
  readonly text: string;
  /** Fields and examples, after the options. */
  readonly after: string;
}

export const commandHelp = (summary: string, text: string, after = ''): CommandHelp => ({
  summary,
  text: unwrapped(text),
  after,
});

/** Paragraphs on one line each: commander breaks them to the width of the terminal. */
export function unwrapped(text: string): string {
  return text.replaceAll(/(?<!\n)\n(?!\n)/g, ' ');
}

/** What a command does with its outcome. */
export type Report = (outcome: Outcome, asJson: boolean) => void;

/** What commands are declared on, speak through and run with. */
export class CommandLine {
  constructor(
    private readonly parent: Command,
    readonly terminal: Terminal,
    readonly report: Report,
  ) {}

  command(name: string, { summary, text, after }: CommandHelp, ...options: 'dry-run'[]): Command {
    const command = this.parent.command(name).summary(summary).description(text);
    if (after !== '') command.addHelpText('after', `\n${after}`);
    if (options.includes('dry-run'))
      command.option('--dry-run', 'find out what would be done, but write nothing');
    return command.option('--json', 'write the result as one line of JSON');
  }

  /** A command that only holds others. */
  group(name: string, { summary, text }: CommandHelp): CommandLine {
    const parent = this.parent.command(name).description(text).summary(summary);
    return new CommandLine(parent, this.terminal, this.report);
  }

  async run(
    name: string,
    asJson: boolean,
    work: (database: Database) => Promise<Outcome>,
    limits?: DatabaseLimits,
  ): Promise<void> {
    this.report(await withDatabase(name, readSettings(), this.terminal, work, limits), asJson);
  }
}

/** Reads the value of an option that names a row. */
export function identifier(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (id < 1 || id > MAX_INTEGER) throw new InvalidArgumentError('It must be an identifier.');
  return id;
}
