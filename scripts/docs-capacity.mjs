// Writes the figures of "Capacity" in docs/operations.md from what the bench has measured:
//   npm run docs:capacity [-- FILE …]      by default bench-results.json; of a part in several files the last counts
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { installWhenMissing, root } from './prepare.mjs';

const BEGIN = '<!-- Figures: npm run docs:capacity -->';
const END = '<!-- End of figures -->';

await installWhenMissing();
const files = process.argv.length > 2 ? process.argv.slice(2) : ['bench-results.json'];
const reports = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
const parts = Object.assign({}, ...reports.map(({ results }) => results));
const dates = [...new Set(reports.map(({ at }) => at.slice(0, 10)))].sort();
const machines = [...new Set(reports.map(({ machine }) => sentenceOf(machine)))];
if (machines.length > 1) {
  console.error(`The files are of several machines: ${machines.join('; ')}`);
  process.exit(1);
}

const number = (figure, digits = 0) =>
  figure.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });
const span = (figures, digits) => {
  const [least, most] = [Math.min(...figures), Math.max(...figures)].map((figure) => number(figure, digits));
  return least === most ? least : `${least} to ${most}`;
};
const rowsWith = (part, column) => (parts[part] ?? []).filter((row) => row[column] !== undefined);

const reads = rowsWith('floor', 'Node µs').map((row) => ({
  node: row['Node µs'].service,
  postgres: row['PostgreSQL µs'].service,
}));
const logins = rowsWith('logins', 'measured').find(({ what }) => what.startsWith('logins'));
const idle = rowsWith('memory', 'measured').find(({ what }) => what.includes('idle'));
const groups = rowsWith('processes', 'connections to PostgreSQL');
const tables = (part) => rowsWith(part, 'bytes a row');

/** What, figure and where it comes from; a line of a part that was not measured is left out. */
const lines = [
  reads.length > 0 && [
    'Reads a second for each core of the service',
    span(reads.map(({ node }) => 1e6 / node)),
    '`floor`: a second divided by the processor time of a request in Node, over its reads',
  ],
  reads.length > 0 && [
    'Reads a second for each core of PostgreSQL',
    span(reads.map(({ postgres }) => 1e6 / postgres)),
    '`floor`: the same with the time in PostgreSQL',
  ],
  logins && [
    'Logins a second for each core of the service, `BCRYPT_COST=10`',
    number(logins.measured / reports[0].machine.cores, 1),
    '`logins`: the rate of all cores divided by them; one more of cost halves it',
  ],
  idle && ['Memory of an idle process', `${number(idle.measured)} MB`, '`memory`'],
  ...groups.map((group) => [
    `Memory of \`PROCESSES=${group.processes}\`, idle and after a load of reads`,
    `${number(group['MB idle'])} and ${number(group['MB after the load'])} MB`,
    '`processes`; what they share counts once',
  ]),
  ...groups.map((group) => [
    `Connections of \`PROCESSES=${group.processes}\` after a load of reads`,
    number(group['connections to PostgreSQL']),
    '`processes`',
  ]),
  tables('million').length > 0 && [
    'Disk of a million organisations with two million users',
    `${number(diskOfMillion(), 1)} GB`,
    '`million`: the tables below, without log and dead rows',
  ],
].filter(Boolean);

/** In GB; a run with fewer organisations is extrapolated. */
function diskOfMillion() {
  const organisations = tables('million').find(({ table }) => table === 'organisations').rows;
  const megabytes = tables('million').reduce((sum, row) => sum + row.MB + row['MB of indexes'], 0);
  return (megabytes / 1000 / organisations) * 1e6;
}

const million = tables('million').map((row) => ({ ...row, part: 'million' }));
const known = new Set(million.map(({ table }) => table));
const others = tables('import')
  .filter(({ table }) => !known.has(table))
  .map((row) => ({ ...row, part: 'import' }));

const figures = [
  `Measured on ${dates.join(' and ')}, in one run of each part, on ${machines[0]}; whoever sent the requests, the service and PostgreSQL shared the machine.`,
  '',
  '| What | Figure | From |',
  '| --- | --- | --- |',
  ...lines.map((cells) => `| ${cells.join(' | ')} |`),
  ...(million.length + others.length > 0
    ? [
        '',
        '| Table | Rows | MB | MB of indexes | Bytes a row, with indexes | From |',
        '| --- | --- | --- | --- | --- | --- |',
      ]
    : []),
  ...[...million, ...others].map(
    (row) =>
      `| \`${row.table}\` | ${number(row.rows)} | ${number(row.MB)} | ${number(row['MB of indexes'])} | ${number(row['bytes a row'])} | \`${row.part}\` |`,
  ),
];

const file = join(root, 'docs/operations.md');
const page = readFileSync(file, 'utf8');
const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
if (begin < 0 || end < begin) throw new Error(`${file} has no place for the figures: ${BEGIN} … ${END}`);
const block = await format(figures.join('\n'), { parser: 'markdown', printWidth: 120 });
writeFileSync(file, `${page.slice(0, begin)}${BEGIN}\n\n${block}\n${page.slice(end)}`);
console.log(`Wrote the figures of ${Object.keys(parts).join(', ')} to ${file}`);

function sentenceOf({ cores, processor, memoryMegabytes, platform, node, postgres }) {
  const gigabytes = Math.round(memoryMegabytes / 1000);
  return `${cores} cores of an ${processor} with ${gigabytes} GB (${platform}, Node ${node}, PostgreSQL ${postgres})`;
}
