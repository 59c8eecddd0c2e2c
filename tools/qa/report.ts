import type { Result, RunReport } from '../../qa/run';
import { grouped } from './grouped';
import { printable, printableJson } from './terminal';

const MARKS = { ok: 'ok', failed: 'FAILED', 'not checked': 'not checked' } as const;

/**
 * The table by area and operation, what differs, what was checked partly and what is left behind, for people.
 */
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
  return printable(lines.join('\n'));
}

/** The same for programs. */
export function jsonOf(report: RunReport): string {
  return printableJson(report, 2);
}

function lineOf(operation: string, results: readonly Result[]): string {
  const checked = results.filter(({ outcome }) => outcome !== 'not checked');
  const failed = results.some(({ outcome }) => outcome === 'failed');
  const outcome = failed ? 'failed' : checked.length === 0 ? 'not checked' : 'ok';
  const milliseconds = checked.reduce((sum, result) => sum + result.milliseconds, 0);
  const counts = `${checked.length}/${results.length}`.padStart(6);
  return `${operation.padEnd(78)}${MARKS[outcome].padEnd(12)}${counts}${milliseconds.toFixed(0).padStart(7)} ms`;
}

const SECOND = 1000;

/** XML 1.0 knows no other control characters, and no halves of characters. */
const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string =>
  text.replaceAll(NOT_IN_XML, '\ufffd').replaceAll(/[&<>"]/g, (letter) => ENTITIES[letter] as string);

/** The results in the form that CI systems read: an area is a suite, an example a test case. */
export function junitOf({ results, left, interrupted }: RunReport): string {
  const areas = [...new Set(results.map(({ area }) => area))];
  const suites = areas.map((area) =>
    suiteOf(area, casesOf(results.filter((result) => result.area === area))),
  );
  const cleanUp = left.map((path) => ({ name: path, problem: `could not be deleted: ${path}` }));
  const ending = interrupted
    ? [{ name: 'the whole run', problem: 'Interrupted: the rest was not checked.' }]
    : [];
  const endings = [...cleanUp, ...ending].map(({ name, problem }) => ({
    xml: testCase('end', 'end of the run', name, 0, `<failure message="${escaped(problem)}"/>`),
    outcome: 'failed' as const,
    milliseconds: 0,
  }));
  if (endings.length > 0) suites.push(suiteOf('end', endings));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="npm run qa">\n${suites.join('\n')}\n</testsuites>\n`;
}

interface Case extends Pick<Result, 'outcome' | 'milliseconds'> {
  readonly xml: string;
}

const casesOf = (results: readonly Result[]): Case[] =>
  results.map(({ area, scenario, operation, title, outcome, notes, milliseconds }) => {
    const inside = {
      ok: '',
      failed: `<failure message="${escaped(notes[0] ?? '')}">${escaped(notes.join('\n'))}</failure>`,
      'not checked': `<skipped message="${escaped(notes.join('; '))}"/>`,
    }[outcome];
    return {
      xml: testCase(area, scenario, `${operation}: ${title}`, milliseconds, inside),
      outcome,
      milliseconds,
    };
  });

function testCase(
  area: string,
  scenario: string,
  name: string,
  milliseconds: number,
  inside: string,
): string {
  const time = (milliseconds / SECOND).toFixed(3);
  const start = `    <testcase classname="${escaped(`${area}.${scenario}`)}" name="${escaped(name)}" time="${time}"`;
  return inside === '' ? `${start}/>` : `${start}>${inside}</testcase>`;
}

function suiteOf(area: string, cases: readonly Case[]): string {
  const count = (outcome: Result['outcome']) => cases.filter((one) => one.outcome === outcome).length;
  const seconds = cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / SECOND;
  return [
    `  <testsuite name="${escaped(area)}" tests="${cases.length}" failures="${count('failed')}" ` +
      `errors="0" skipped="${count('not checked')}" time="${seconds.toFixed(3)}">`,
    ...cases.map(({ xml }) => xml),
    '  </testsuite>',
  ].join('\n');
}
