import type { Result, RunReport } from './run';

const MARKS = { ok: 'ok', failed: 'FAILED', 'not checked': 'not checked' } as const;

/** The table by area and operation, what differs, what was checked partly and what is left behind, for people. */
export function tableOf({ results, left, interrupted }: RunReport): string {
  const lines: string[] = [];
  for (const [area, ofArea] of grouped(results, ({ area }) => area)) {
    lines.push('', area);
    for (const [operation, ofOperation] of grouped(ofArea, (result) => result.operation)) {
      lines.push(`  ${lineOf(operation, ofOperation)}`);
      for (const { title, notes, outcome } of ofOperation) {
        if (outcome === 'failed') lines.push(`      ${title}`, ...notes.map((note) => `        ${note}`));
      }
    }
  }
  const partly = [...grouped(results, ({ operation }) => operation)].flatMap(([operation, ofOperation]) => {
    const unchecked = ofOperation.filter(({ outcome }) => outcome === 'not checked');
    const reasons = [...new Set(unchecked.flatMap(({ notes }) => notes))].join('; ');
    const word = unchecked.length === ofOperation.length ? 'not at all' : 'partly';
    return unchecked.length === 0 ? [] : [`  ${operation}: ${word}; it ${reasons}`];
  });
  if (partly.length > 0) lines.push('', 'Checked partly or not at all:', ...partly);
  if (left.length > 0) lines.push('', 'Left behind, delete by hand:', ...left.map((path) => `  ${path}`));
  if (interrupted) lines.push('', 'Interrupted: the rest was not checked.');
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length;
  lines.push('', `${count('ok')} ok, ${count('failed')} failed, ${count('not checked')} not checked`);
  return lines.join('\n');
}

/** The same for programs. */
export function jsonOf(report: RunReport): string {
  return JSON.stringify(report, null, 2);
}

function lineOf(operation: string, results: readonly Result[]): string {
  const checked = results.filter(({ outcome }) => outcome !== 'not checked');
  const failed = results.some(({ outcome }) => outcome === 'failed');
  const outcome = failed ? 'failed' : checked.length === 0 ? 'not checked' : 'ok';
  const milliseconds = checked.reduce((sum, result) => sum + result.milliseconds, 0);
  const counts = `${checked.length}/${results.length}`.padStart(6);
  return `${operation.padEnd(78)}${MARKS[outcome].padEnd(12)}${counts}${milliseconds.toFixed(0).padStart(7)} ms`;
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
