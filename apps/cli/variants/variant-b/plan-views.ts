import { text } from 'node:stream/consumers';
import { csvStream } from '@app/platform/lists/csv-rows';
import { tableOf } from '../../terminal';
import type { PlannedOrganisation } from './plan';

/** Maximum lines for people; csv and JSON have all. */
const MAX_SHOWN = 200;

/** A row is one operation of one program of one organisation. */
const CSV_COLUMNS = [
  'organisationId',
  'name',
  'program',
  'operation',
  'callsPerDay',
  'lastCall',
  'inVariantA',
  'section',
] as const;

const rowsOf = (plan: readonly PlannedOrganisation[]): Record<(typeof CSV_COLUMNS)[number], unknown>[] =>
  plan.flatMap(({ organisationId, name, programs }) =>
    programs.flatMap(({ program, operations }) =>
      operations.map((operation) => ({ organisationId, name, program, ...operation })),
    ),
  );

export async function planCsv(plan: readonly PlannedOrganisation[]): Promise<string[]> {
  return (await text(csvStream(rowsOf(plan), CSV_COLUMNS))).trimEnd().split('\r\n');
}

/** One table of organisations, with the programs of each and the operations of each program. */
export function planLines(plan: readonly PlannedOrganisation[], days: number): string[] {
  if (plan.length === 0) return [`No organisation called Variant B in the last ${days} days`];
  const rows = plan.flatMap((organisation) => [
    [
      `${organisation.organisationId} ${organisation.name ?? '(unknown)'}`,
      rounded(organisation.callsPerDay),
      organisation.lastCall,
      '',
    ],
    ...organisation.programs.flatMap(({ program, callsPerDay, lastCall, operations }) => [
      [`  ${program}`, rounded(callsPerDay), lastCall, ''],
      ...operations.map((used) => [
        `    ${used.operation}`,
        rounded(used.callsPerDay),
        used.lastCall,
        used.section === null ? used.inVariantA : `${used.inVariantA} (${used.section})`,
      ]),
    ]),
  ]);
  const more = (left: number): string => `and ${left} more lines: see --format csv or json`;
  return [
    `${plan.length} organisations called Variant B in the last ${days} days`,
    '',
    ...tableOf(['Organisation, program, operation', 'Calls a day', 'Last call', 'In Variant A'], rows, {
      most: MAX_SHOWN,
      more,
    }),
  ];
}

/** Two digits, and never 0 for something that was called. */
const rounded = (value: number): string => (value < 0.01 ? '<0.01' : String(Math.round(value * 100) / 100));
