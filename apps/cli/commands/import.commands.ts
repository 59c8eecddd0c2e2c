import { type Command, Option } from 'commander';
import { readSettings } from '@app/config/env';
import { commandHelp, type CommandLine, type TrialOptions } from '../command';
import type { CommandRun } from '../database';
import {
  type AnyKind,
  type ImportCommand,
  type ImportName,
  IMPORTS,
  type OptionsOfKind,
} from '../imports/import-commands';
import { CommandFailed, type Outcome, WrongUse } from '../outcome';
import { HourlyPace } from '../rows/hourly-pace';
import { RefusedRows } from '../rows/refused-rows';
import type { ImportRun } from '../rows/row-import';
import { type Format, FORMATS, SourceFile } from '../rows/source-file';
import { interruption } from '../terminal';

interface ImportOptions extends TrialOptions, OptionsOfKind {
  readonly format?: Format;
  readonly ignoreUnknown?: boolean;
  readonly refused?: string;
  readonly perHour?: number;
}

/** The pace of a command that mails. Throws {@link WrongUse} where the operator has not named one. */
function paceOf(
  { mails = false }: ImportCommand,
  { perHour, dryRun = false }: ImportOptions,
): HourlyPace | undefined {
  if (!mails || dryRun) return undefined;
  if (perHour === undefined)
    throw new WrongUse('say with --per-hour how many mails may leave in an hour, or try with --dry-run');
  return new HourlyPace(perHour);
}

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
    const pace = paceOf(declaration, given);
    const file = await SourceFile.open(path, format);
    const signal = interruption();
    const kind = await declaration.kind(readSettings(), given);
    const refusedRows = given.refused === undefined ? undefined : await RefusedRows.create(given.refused);
    try {
      await cli.run((run) =>
        alone(declaration, run, () =>
          importRows(declaration, kind, { ...run, file, isTrial, ignoreUnknown, signal, refusedRows, pace }),
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
  await run.pace?.follow(run);
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
