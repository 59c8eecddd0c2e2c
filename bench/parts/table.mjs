/** Prints rows of equal keys as a table. */
export function printTable(rows) {
  const headers = Object.keys(rows[0]);
  const texts = [headers, ...rows.map((row) => headers.map((header) => String(row[header] ?? '')))];
  const widths = headers.map((_, column) => Math.max(...texts.map((text) => text[column].length)));
  const line = (cells) => cells.map((cell, column) => cell.padEnd(widths[column])).join('  ');
  console.log(line(texts[0]));
  console.log(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const text of texts.slice(1)) console.log(line(text));
}

/** A ratio with its goal, as a cell says it. */
export const withGoal = (ratio, goal, isMet) =>
  `${ratio.toFixed(2)} (goal ${goal}: ${isMet ? 'met' : 'MISSED'})`;
