import type { UsageReport, UsedOperation, UsingOrganisation, UsingProgram } from './usage-report';

/** Rows of a table that people are shown; --json and --html have all. */
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

/** What of an operation the other variant does not have. */
export function differenceOf({ isOnlyHere, partsOnlyHere, partsOtherwise }: UsedOperation): string {
  if (isOnlyHere) return 'not there';
  const parts = [
    ...(partsOnlyHere.length > 0 ? [`without ${partsOnlyHere.join(', ')}`] : []),
    ...(partsOtherwise.length > 0 ? [`other: ${partsOtherwise.join(', ')}`] : []),
  ];
  return parts.length === 0 ? 'the same, or more' : parts.join('; ');
}

export const customerName = ({ organisationId, name }: UsingOrganisation): string =>
  organisationId === 0 ? '(without a credential)' : (name ?? '(unknown)');

export const silence = ({ silentDays, lastDay }: { silentDays: number; lastDay: string }): string =>
  silentDays <= 1 ? '' : `${silentDays} days, since ${lastDay}`;

const rowOfCustomer = (customer: UsingOrganisation): string[] => [
  String(customer.organisationId),
  customerName(customer),
  String(customer.requests),
  customer.lastDay,
  silence(customer),
  customer.programs.join(', '),
  customer.onlyHere.join(', '),
];

const rowOfProgram = (used: UsingProgram): string[] => [
  used.program,
  String(used.organisations),
  String(used.requests),
  used.lastDay,
  silence(used),
];

const rowOfOperation = (used: UsedOperation): string[] => [
  used.operation,
  String(used.organisations),
  String(used.requests),
  used.lastDay,
  differenceOf(used),
];

function section(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const shown = [head, ...rows.slice(0, MAX_SHOWN)].map((row) => row.map(printable));
  const widths = head.map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  const left = rows.length - MAX_SHOWN;
  return [
    `${title} (${rows.length})`,
    ...shown.map((row) =>
      `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
    ),
    ...(left > 0 ? [`  and ${left} more: see --json or --html`] : []),
    '',
  ];
}

/** Names are what customers and their programs chose: they must not steer the operator's terminal. */
const printable = (text: string): string => text.replaceAll(/[\p{C}\u2028\u2029]/gu, '?');
