import { escapedHtml } from '@app/mail/mail-html';
import { tableOf } from '../terminal';
import type {
  OperationDifference,
  UsageReport,
  UsedDay,
  UsedOperation,
  UsingOrganisation,
  UsingProgram,
} from './usage-report';

/** Maximum rows of a table for people; --json and --html have all. */
const MAX_SHOWN = 50;

/** A report for people. */
export function usageLines({ variant, from, to, requests, ...report }: UsageReport): string[] {
  const { customers, programs, operations } = report;
  if (customers.length === 0) return [`Variant ${variant} has no stored calls`];
  return [
    `Variant ${variant}, ${from} to ${to}: ${requests} requests. Days are those of UTC; the last minutes may be missing.`,
    '',
    ...section('Customers', CUSTOMER_COLUMNS, customers),
    ...section('Programs', PROGRAM_COLUMNS, programs),
    ...section('Operations', OPERATION_COLUMNS, operations),
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

function customerName({ organisationId, name }: UsingOrganisation): string {
  return organisationId === 0 ? '(without a credential)' : (name ?? '(unknown)');
}

function silence({ silentDays, lastDay }: { silentDays: number; lastDay: string }): string {
  return silentDays <= 1 ? '' : `${silentDays} days, since ${lastDay}`;
}

/** A column of the report. */
interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => string | number;
  /** The heading on the page, if it differs. */
  readonly onPage?: string;
  /** Shown only on the page, not in the lines. */
  readonly isForPage?: true;
}

const FIRST_CALL: Column<{ firstDay: string }> = {
  head: 'First call',
  cell: ({ firstDay }) => firstDay,
  isForPage: true,
};
const LAST_CALL: Column<{ lastDay: string }> = { head: 'Last call', cell: ({ lastDay }) => lastDay };
const REQUESTS: Column<{ requests: number }> = { head: 'Requests', cell: ({ requests }) => requests };
const SILENT: Column<{ silentDays: number; lastDay: string }> = { head: 'Silent', cell: silence };
const CUSTOMERS: Column<{ organisations: number }> = {
  head: 'Customers',
  cell: ({ organisations }) => organisations,
};

const CUSTOMER_COLUMNS: readonly Column<UsingOrganisation>[] = [
  { head: 'Id', cell: ({ organisationId }) => organisationId },
  { head: 'Name', cell: customerName },
  ...[REQUESTS, FIRST_CALL, LAST_CALL, SILENT],
  { head: 'Programs', cell: ({ programs }) => programs.join(', ') },
  { head: 'With', cell: ({ credentials }) => credentials.join(', '), isForPage: true },
  { head: 'Only here', cell: ({ onlyHere }) => onlyHere.join(', '), onPage: 'Exists only here' },
];

const PROGRAM_COLUMNS: readonly Column<UsingProgram>[] = [
  { head: 'Program', cell: ({ program }) => program },
  ...[CUSTOMERS, REQUESTS, FIRST_CALL, LAST_CALL, SILENT],
];

const OPERATION_COLUMNS: readonly Column<UsedOperation>[] = [
  { head: 'Operation', cell: ({ operation }) => operation },
  ...[CUSTOMERS, REQUESTS, LAST_CALL],
  { head: 'In the other variant', cell: differenceOf },
];

const LIMIT = { most: MAX_SHOWN, more: (left: number) => `and ${left} more: see --json or --html` };

function section<Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  const shown = columns.filter(({ isForPage }) => isForPage !== true);
  const cells = rows.map((row) => shown.map(({ cell }) => cell(row)));
  const table = tableOf(
    shown.map(({ head }) => head),
    cells,
    LIMIT,
  );
  return [`${title} (${rows.length})`, ...table.map((line) => `  ${line}`), ''];
}

/** The size of the plot, in its own units. */
const WIDTH = 960;
const HEIGHT = 240;
const MARGIN = 48;

/** Customers choose all texts of the page, such as names and programs. */
const escaped = (text: string | number): string => escapedHtml(String(text));

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
${htmlTable('Customers', CUSTOMER_COLUMNS, customers)}
${htmlTable('Programs', PROGRAM_COLUMNS, programs)}
${htmlTable('Operations', OPERATION_COLUMNS, operations)}
</body>
</html>
`;
}

const cellOf = (cell: string | number): string =>
  `<td${typeof cell === 'number' ? ' class="number"' : ''}>${escaped(cell)}</td>`;

const htmlTable = <Row extends { readonly silentDays: number }>(
  title: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): string =>
  [
    `<h2>${title} (${rows.length})</h2>`,
    '<table>',
    `<tr>${columns.map(({ head, onPage = head }) => `<th>${escaped(onPage)}</th>`).join('')}</tr>`,
    ...rows.map((row) => {
      const cells = columns.map(({ cell }) => cellOf(cell(row))).join('');
      return `<tr${row.silentDays > 1 ? ' class="silent"' : ''}>${cells}</tr>`;
    }),
    '</table>',
  ].join('\n');

const rounded = (value: number): string => String(Math.round(value * 100) / 100);

/** Requests as bars and customers as a line, each with its own scale from 0. */
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
