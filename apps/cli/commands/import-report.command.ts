import type { Finding, RowKind } from '../imports/import-kind';
import { readSettings } from '../../../config/env';
import { commandHelp, type CommandLine } from '../command';
import { interruption } from '../terminal';
import { EXIT, type Outcome, WrongUse } from '../outcome';
import { assertNotInterrupted, type FileRun, rowBatches } from '../rows/row-import';
import { NamedRows } from '../rows/named-rows';
import { rowLabel } from '../rows/row-label';
import type { SourceRecord } from '../rows/source-record';
import { SourceFile } from '../rows/source-file';
import { type ImportOptions, IMPORTS, withFileOptions } from './import.commands';

const HELP = commandHelp(
  `Compares the files of the previous panel with the database, row by row. Changes nothing. Reports every row
without an equal record on standard error, with its line: missing (with the reason, if an import refuses the row),
different (with the fields, but not the stored values), or bad (every import refuses the row). An omitted field counts
as its default. A password hash that a login has renewed since counts as equal.`,
  `The fields are those of the imports: see, for example, "help import-users".

Examples:
  $ npm run cli -- import-report --organisations organisations.csv --users accounts.csv
  $ npm run cli -- import-report --contacts contacts.csv --sshkeys sshkeys.csv --apikeys apikeys.csv --json`,
);

interface ReportOptions extends ImportOptions {
  readonly [file: string]: unknown;
}

export function declare(cli: CommandLine): void {
  const command = withFileOptions(cli.command('import-report', HELP));
  for (const name of Object.keys(IMPORTS)) command.option(`--${name} <file>`, `the file of import-${name}`);
  command.action(async (options: ReportOptions) => {
    const { ignoreUnknown = false, format } = options;
    const chosen = Object.entries(IMPORTS).flatMap(([name, imported]) => {
      const path = options[name];
      return typeof path === 'string' ? [{ name, command: imported, path }] : [];
    });
    if (chosen.length === 0) throw new WrongUse(`name a file: --${Object.keys(IMPORTS).join(', --')}`);
    const settings = readSettings();
    const signal = interruption();
    const files = await Promise.all(
      chosen.map(async ({ name, command: { kind, counted }, path }) => {
        const file = await SourceFile.open(path, format);
        return { name, counted, kind: await kind(settings), file };
      }),
    );
    await cli.run((run) =>
      compareFiles(
        files.map(({ file, ...compared }) => ({ ...compared, run: { ...run, file, ignoreUnknown, signal } })),
      ),
    );
  });
}

/** A file, and the kind of records that its rows are compared with. */
interface ComparedFile {
  /** The name of the kind. It is also the option for the file. */
  readonly name: string;
  readonly kind: RowKind<unknown>;
  readonly counted: string;
  readonly run: FileRun;
}

type RowState = 'same' | 'missing' | 'different' | 'bad';

interface ComparedRow {
  readonly record: SourceRecord;
  readonly state: RowState;
  readonly detail: string;
}

interface FileReport extends Record<RowState, number> {
  /** Number of records of this kind in the database, including those that the file lacks. */
  readonly inDatabase: number;
  readonly findings: { line: number; state: RowState; detail: string }[];
}

/** Compares files with the database. Changes nothing. */
async function compareFiles(files: readonly ComparedFile[]): Promise<Outcome> {
  const reports: [name: string, report: FileReport][] = [];
  for (const file of files) reports.push([file.name, await compareFile(file)]);
  const isWhole = reports.every(([, { missing, different, bad }]) => missing + different + bad === 0);
  return {
    exitCode: isWhole ? EXIT.ok : EXIT.someRowsRefused,
    report: Object.fromEntries(reports),
    lines: reports.map(
      ([name, { same, missing, different, bad, inDatabase }]) =>
        `${name}: ${same} the same, ${missing} missing, ${different} different, ${bad} bad rows; the database has ${inDatabase}`,
    ),
  };
}

async function compareFile({ name, kind, counted, run }: ComparedFile): Promise<FileReport> {
  const counts: Record<RowState, number> = { same: 0, missing: 0, different: 0, bad: 0 };
  const { terminal, dataSource, signal } = run;
  const { manager } = dataSource;
  const rows = new NamedRows<ComparedRow>(terminal, ({ record, state, detail }) => {
    const label = `${name} ${rowLabel(kind.fields, record, detail)}: ${state}`;
    return detail === '' ? label : `${label} (${detail})`;
  });
  const note = (record: SourceRecord, state: RowState, detail = ''): void => {
    counts[state] += 1;
    if (state !== 'same') rows.add({ record, state, detail });
  };
  try {
    const batches = rowBatches(kind, run, (record, reason, isGoodByItself = false) =>
      note(record, isGoodByItself ? 'missing' : 'bad', reason),
    );
    for await (const { rows: batch, share, upTo } of batches) {
      const findings = await kind.find(
        manager,
        batch.map(({ row }) => row),
      );
      batch.forEach(({ record }, position) => note(record, ...stateOf(findings[position])));
      if (upTo !== undefined) rows.name(upTo);
      const { same, missing, different, bad } = counts;
      terminal.progress(share, `${name}: ${same} the same, ${missing + different + bad} not`);
      assertNotInterrupted(signal);
    }
    rows.name();
  } finally {
    terminal.endProgress();
  }
  const [row] = await manager.query<{ count: number }[]>(`SELECT count(*)::integer AS count FROM ${counted}`);
  const findings = rows.reported.map(({ record: { line }, state, detail }) => ({ line, state, detail }));
  return { ...counts, inDatabase: row?.count ?? 0, findings };
}

function stateOf(finding: Finding | undefined): [state: RowState, detail?: string] {
  if (finding === undefined || 'record' in finding) return ['missing'];
  if ('reason' in finding) return ['missing', finding.reason];
  return finding.differences.length === 0 ? ['same'] : ['different', finding.differences.join(', ')];
}
