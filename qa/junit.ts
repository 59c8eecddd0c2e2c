import type { Result, RunReport } from './run';

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
    `  <testsuite name="${escaped(area)}" tests="${cases.length}" failures="${count('failed')}" errors="0" skipped="${count('not checked')}" time="${seconds.toFixed(3)}">`,
    ...cases.map(({ xml }) => xml),
    '  </testsuite>',
  ].join('\n');
}
