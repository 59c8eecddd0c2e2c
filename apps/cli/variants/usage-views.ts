import { tableOf as alignedTable, type Cell } from '../terminal';
import type {
  OperationDifference,
  UsageReport,
  UsedDay,
  UsedOperation,
  UsingOrganisation,
  UsingProgram,
} from './usage-report';

/** Rows of a table for people; --json and --html have all. */
const MAX_SHOWN = 50;

/** A report for people. */
export function usageLines({ variant, from, to, requests, ...report }: UsageReport): string[] {
  const { customers, programs, operations } = report;
  if (customers.length === 0) return [`Nobody has called Variant ${variant} in all that is kept`];
  return [
    `Variant ${variant}, ${from} to ${to}: ${requests} requests. Days are those of UTC; the last minutes may be missing.`,
    '',
    ...section(
      'Customers',
      ['Id', 'Name', 'Requests', 'Last call', 'Silent', 'Programs', 'Only here'],
      customers.map(rowOfCustomer),
    ),
    ...section(
      'Programs',
      ['Program', 'Customers', 'Requests', 'Last call', 'Silent'],
      programs.map(rowOfProgram),
    ),
    ...section(
      'Operations',
      ['Operation', 'Customers', 'Requests', 'Last call', 'In the other variant'],
      operations.map(rowOfOperation),
    ),
  ];
}

/** How the other variant differs for an operation. */
export function differenceOf({ isOnlyHere, partsOnlyHere, partsOtherwise }: OperationDifference): string {
  if (isOnlyHere) return 'not there';
  const parts = [
    ...(partsOnlyHere.length > 0 ? [`without ${partsOnlyHere.join(', ')}`] : []),
    ...(partsOtherwise.length > 0 ? [`other: ${partsOtherwise.join(', ')}`] : []),
  ];
  return parts.length === 0 ? 'the same, or more' : parts.join('; ');
}

const customerName = ({ organisationId, name }: UsingOrganisation): string =>
  organisationId === 0 ? '(without a credential)' : (name ?? '(unknown)');

const silence = ({ silentDays, lastDay }: { silentDays: number; lastDay: string }): string =>
  silentDays <= 1 ? '' : `${silentDays} days, since ${lastDay}`;

const rowOfCustomer = (customer: UsingOrganisation): Cell[] => [
  customer.organisationId,
  customerName(customer),
  customer.requests,
  customer.lastDay,
  silence(customer),
  customer.programs.join(', '),
  customer.onlyHere.join(', '),
];

const rowOfProgram = (used: UsingProgram): Cell[] => [
  used.program,
  used.organisations,
  used.requests,
  used.lastDay,
  silence(used),
];

const rowOfOperation = (used: UsedOperation): Cell[] => [
  used.operation,
  used.organisations,
  used.requests,
  used.lastDay,
  differenceOf(used),
];

const LIMIT = { most: MAX_SHOWN, more: (left: number) => `and ${left} more: see --json or --html` };

const section = (title: string, head: readonly string[], rows: readonly (readonly Cell[])[]): string[] => [
  `${title} (${rows.length})`,
  ...alignedTable(head, rows, LIMIT).map((line) => `  ${line}`),
  '',
];

/** The plot, in units of its own. */
const WIDTH = 960;
const HEIGHT = 240;
const MARGIN = 48;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Customers choose all texts of the page, such as names and programs. */
const escaped = (text: string | number): string =>
  String(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

const STYLE = `
  body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #222; }
  table { border-collapse: collapse; width: 100%; margin-bottom: 2rem; }
  th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #ddd; vertical-align: top; }
  td.number { text-align: right; font-variant-numeric: tabular-nums; }
  tr.silent { color: #888; }
  svg { width: 100%; height: auto; }
  .bar { fill: #4a7ebb; } .line { fill: none; stroke: #c0504d; stroke-width: 2; } .axis { stroke: #999; }
  text { font: 11px system-ui, sans-serif; fill: #555; }`;

/** A page without external resources and scripts. */
export function usagePage(report: UsageReport): string {
  const { variant, from, to, requests, customers, programs, operations, days } = report;
  const title = `Who calls Variant ${variant}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}
</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<p>${escaped(from)} to ${escaped(to)}: ${escaped(requests)} requests. Days are those of UTC. Grey: silent for more than a day.</p>
${plotOf(days)}
<h2>Customers (${customers.length})</h2>
${tableOf(
  ['Id', 'Name', 'Requests', 'First call', 'Last call', 'Silent', 'Programs', 'With', 'Exists only here'],
  customers.map((customer) => ({
    isSilent: customer.silentDays > 1,
    cells: [
      customer.organisationId,
      customerName(customer),
      customer.requests,
      customer.firstDay,
      customer.lastDay,
      silence(customer),
      customer.programs.join(', '),
      customer.credentials.join(', '),
      customer.onlyHere.join(', '),
    ],
  })),
)}
<h2>Programs (${programs.length})</h2>
${tableOf(
  ['Program', 'Customers', 'Requests', 'First call', 'Last call', 'Silent'],
  programs.map((used) => ({
    isSilent: used.silentDays > 1,
    cells: [used.program, used.organisations, used.requests, used.firstDay, used.lastDay, silence(used)],
  })),
)}
<h2>Operations (${operations.length})</h2>
${tableOf(
  ['Operation', 'Customers', 'Requests', 'Last call', 'In the other variant'],
  operations.map((used) => ({
    isSilent: used.silentDays > 1,
    cells: [used.operation, used.organisations, used.requests, used.lastDay, differenceOf(used)],
  })),
)}
</body>
</html>
`;
}

interface Row {
  readonly isSilent: boolean;
  readonly cells: readonly (string | number)[];
}

const cellOf = (cell: string | number): string =>
  `<td${typeof cell === 'number' ? ' class="number"' : ''}>${escaped(cell)}</td>`;

const tableOf = (head: readonly string[], rows: readonly Row[]): string =>
  [
    '<table>',
    `<tr>${head.map((name) => `<th>${escaped(name)}</th>`).join('')}</tr>`,
    ...rows.map(
      ({ isSilent, cells }) => `<tr${isSilent ? ' class="silent"' : ''}>${cells.map(cellOf).join('')}</tr>`,
    ),
    '</table>',
  ].join('\n');

const rounded = (value: number): string => String(Math.round(value * 100) / 100);

/** Requests as bars, customers as a line, each on its own scale from 0. */
function plotOf(days: readonly UsedDay[]): string {
  const mostRequests = Math.max(1, ...days.map(({ requests }) => requests));
  const mostCustomers = Math.max(1, ...days.map(({ organisations }) => organisations));
  const step = (WIDTH - 2 * MARGIN) / Math.max(1, days.length);
  const room = HEIGHT - 2 * MARGIN;
  const floor = HEIGHT - MARGIN;
  const bars = days.map(({ day, requests, organisations }, index) => {
    const height = (requests / mostRequests) * room;
    const place = `x="${rounded(MARGIN + index * step)}" y="${rounded(floor - height)}"`;
    const size = `width="${rounded(Math.max(step - 1, 0.5))}" height="${rounded(height)}"`;
    const words = `${day}: ${requests} requests of ${organisations} customers`;
    return `<rect class="bar" ${place} ${size}><title>${escaped(words)}</title></rect>`;
  });
  const points = days.map(({ organisations }, index) =>
    [MARGIN + (index + 0.5) * step, floor - (organisations / mostCustomers) * room].map(rounded).join(','),
  );
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Requests and customers by day">
<line class="axis" x1="${MARGIN}" y1="${floor}" x2="${WIDTH - MARGIN}" y2="${floor}"/>
${bars.join('\n')}
<polyline class="line" points="${points.join(' ')}"/>
<text x="${MARGIN}" y="${MARGIN - 8}">requests a day (bars), at most ${escaped(mostRequests)}</text>
<text x="${WIDTH - MARGIN}" y="${MARGIN - 8}" text-anchor="end">customers a day (line), at most ${escaped(mostCustomers)}</text>
<text x="${MARGIN}" y="${floor + 16}">${escaped(first)}</text>
<text x="${WIDTH - MARGIN}" y="${floor + 16}" text-anchor="end">${escaped(last)}</text>
</svg>`;
}
