import { Option, type Command } from 'commander';
import { readSettings } from '../../../config/env';
import type { Settings } from '@app/core/settings/settings';
import type { CommandHelp, CommandLine, CommonOptions } from '../command';
import type { Database } from '../database';
import { CommandFailed, type Outcome } from '../outcome';
import { interruption } from '../interruption';
import { RowImporter } from '../rows/row-importer';
import type { ImportRun, RowImport } from '../rows/row-import';
import { FORMATS, SourceFile, type Format } from '../rows/source-file';

export interface ImportOptions extends CommonOptions {
  readonly format?: Format;
  readonly ignoreUnknown?: boolean;
}

/** What an import depends on beside its file. */
export interface ImportContext<Options extends ImportOptions = ImportOptions> {
  readonly settings: Settings;
  readonly options: Options;
  readonly isTrial: boolean;
}

/** A command that takes over the rows of a file. */
export interface ImportDeclaration<Row, Options extends ImportOptions = ImportOptions> {
  readonly name: string;
  readonly help: CommandHelp;
  /** Options of its own. */
  readonly options?: readonly Option[];
  rows(context: ImportContext<Options>): RowImport<Row>;
  /** Done first, unless on a trial. */
  begin?(database: Database): Promise<void>;
  /** Tables whose statistics the planner needs anew once many rows have come in. */
  readonly tables: readonly string[];
  /** Two such imports at once would take each other's rows for repeated ones: an advisory lock and what it guards. */
  readonly alone?: { readonly lock: number; readonly what: string };
}

export function declareImport<Row, Options extends ImportOptions = ImportOptions>(
  cli: CommandLine,
  declaration: ImportDeclaration<Row, Options>,
): void {
  const { name, help } = declaration;
  const command = withFileOptions(
    cli.command(name, help, 'dry-run').argument('<file>', 'csv with a header, or JSON lines'),
  );
  for (const option of declaration.options ?? []) command.addOption(option);
  command.action(async (path: string, options: Options) => {
    const { json = false, dryRun: isTrial = false, ignoreUnknown = false, format } = options;
    const file = await SourceFile.open(path, format);
    const signal = interruption();
    const { terminal } = cli;
    const rows = declaration.rows({ settings: readSettings(), options, isTrial });
    await cli.run(name, json, (database) =>
      alone(declaration, database, () =>
        importRows(declaration, rows, { database, file, terminal, isTrial, ignoreUnknown, signal }),
      ),
    );
  });
}

/** How files of rows are read. */
export const withFileOptions = (command: Command): Command =>
  command
    .addOption(new Option('--format <format>', 'if the name of the file does not tell').choices(FORMATS))
    .option('--ignore-unknown', 'leave columns and fields that are not known out', false);

async function importRows<Row>(
  { begin, tables }: Pick<ImportDeclaration<Row>, 'begin' | 'tables'>,
  rows: RowImport<Row>,
  run: ImportRun,
): Promise<Outcome> {
  if (run.isTrial) return new RowImporter(rows, run).import();
  await begin?.(run.database);
  const outcome = await new RowImporter(rows, run).import();
  for (const table of tables) await run.database.dataSource.query(`ANALYZE ${table}`);
  return outcome;
}

async function alone(
  { alone: guard }: Pick<ImportDeclaration<never>, 'alone'>,
  { dataSource }: Database,
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
    try {
      return await work();
    } finally {
      await runner.query(`SELECT pg_advisory_unlock(${guard.lock})`).catch(() => undefined);
    }
  } finally {
    await runner.release();
  }
}
