import type { Finding } from '@app/core/imports/import-kind';
import { EXIT, type Outcome } from '../outcome';
import { assertNotInterrupted, batchesOfFile } from '../rows/row-batches';
import type { FileRun, RowImport } from '../rows/row-import';

/** Rows that the report names for each file; standard error has them all. */
const MAX_REPORTED = 1000;

/** One file and what its rows are compared with. */
export interface ComparedFile {
  /** In the plural, as the option that names the file. */
  readonly name: string;
  readonly rows: RowImport<unknown>;
  /** Counts what the database has of this kind. */
  readonly count: string;
  readonly run: FileRun;
}

type RowState = 'same' | 'missing' | 'different' | 'bad';

interface FileReport extends Record<RowState, number> {
  /** What the database has of this kind, whether the file knows of it or not. */
  inDatabase: number;
  readonly findings: { line: number; state: RowState; detail: string }[];
}

/** Compares files with the database, and changes nothing. */
export async function compareFiles(files: readonly ComparedFile[]): Promise<Outcome> {
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

async function compareFile({ name, rows, count, run }: ComparedFile): Promise<FileReport> {
  const report: FileReport = { same: 0, missing: 0, different: 0, bad: 0, inDatabase: 0, findings: [] };
  const { terminal, database, signal } = run;
  const { manager } = database.dataSource;
  const note = (line: number, state: RowState, detail = ''): void => {
    report[state] += 1;
    if (state === 'same') return;
    if (report.findings.length < MAX_REPORTED) report.findings.push({ line, state, detail });
    terminal.say(`${name} line ${line}: ${state}${detail === '' ? '' : ` (${detail})`}`);
  };
  try {
    const batches = batchesOfFile(rows, run, (line, reason) => note(line, 'bad', reason));
    for await (const { rows: batch, share } of batches) {
      const findings = await rows.find(
        manager,
        batch.map(({ row }) => row),
      );
      batch.forEach(({ line }, position) => note(line, ...stateOf(findings[position])));
      terminal.progress(share, `${name}: ${report.same} the same, ${report.findings.length} not`);
      assertNotInterrupted(signal);
    }
  } finally {
    terminal.endProgress();
  }
  const [row] = await manager.query<{ count: number }[]>(count);
  return { ...report, inDatabase: row?.count ?? 0 };
}

function stateOf(finding: Finding | undefined): [state: RowState, detail?: string] {
  if (finding === undefined || finding.kind === 'absent') return ['missing'];
  if (finding.kind === 'refused') return ['missing', finding.reason];
  return finding.differences.length === 0 ? ['same'] : ['different', finding.differences.join(', ')];
}
