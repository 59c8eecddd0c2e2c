/** Prints rows as tables: a new one begins where the columns change. */
export function printTable(rows) {
  let columns = '';
  let table = [];
  for (const row of rows) {
    if (Object.keys(row).join() !== columns) {
      printRows(table);
      columns = Object.keys(row).join();
      table = [];
    }
    table.push(row);
  }
  printRows(table);
}

function printRows(rows) {
  if (rows.length === 0) return;
  const headers = Object.keys(rows[0]);
  const texts = [headers, ...rows.map((row) => headers.map((header) => textOf(row[header])))];
  const widths = headers.map((_, column) => Math.max(...texts.map((text) => text[column].length)));
  const line = (cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd();
  console.log(line(texts[0]));
  console.log(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const text of texts.slice(1)) console.log(line(text));
  console.log();
}

/** Figures of two sides (`{ service: 1900, floor: 4200 }`) stand in one cell. */
function textOf(cell) {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return Number.isInteger(cell) ? String(cell) : cell.toFixed(decimalsOf(cell));
  return typeof cell === 'object' ? Object.values(cell).map(textOf).join(' / ') : cell;
}

const decimalsOf = (number) => (Math.abs(number) >= 100 ? 0 : Math.abs(number) >= 20 ? 1 : 2);

/** A row with its goal and verdict. A goal that is not met for a given reason does not count as missed. */
export const withGoal = (row, { goal, isMet, reason }) => ({
  ...row,
  goal,
  verdict: isMet ? MET : reason === undefined ? MISSED : `not met: ${reason}`,
});

/** The same where one figure decides; `unit` follows the number of the goal. */
export const atMost = (row, figure, most, { unit = '', reason } = {}) =>
  withGoal(row, { goal: `<= ${most}${unit}`, isMet: figure <= most, reason });

export const atLeast = (row, figure, least, { unit = '', reason } = {}) =>
  withGoal(row, { goal: `>= ${least}${unit}`, isMet: figure >= least, reason });

/** Of `values`, the one that this part of them does not exceed. */
export const quantile = (values, part) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length * part)];

export const median = (values) => quantile(values, 0.5);

const MET = 'met';
const MISSED = 'MISSED';

/** Prints the sum of all verdicts and the rows that missed their goal. */
export function printVerdicts(results) {
  const rows = Object.entries(results).flatMap(([part, rows]) => rows.map((row) => ({ part, ...row })));
  const withVerdict = rows.filter(({ verdict }) => verdict !== undefined);
  const missed = withVerdict.filter(({ verdict }) => verdict === MISSED);
  const met = withVerdict.filter(({ verdict }) => verdict === MET);
  const excused = withVerdict.length - met.length - missed.length;
  console.log(
    `Goals: ${met.length} met, ${missed.length} missed, ${excused} not met for the reason beside them`,
  );
  for (const row of missed) console.log(`  missed: ${Object.values(row).slice(0, 2).map(textOf).join(': ')}`);
}
