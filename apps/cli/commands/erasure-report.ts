import type { ErasureReport } from '@app/records/privacy/person-erasure';
import type { NamingRecord, StillNaming } from '@app/records/privacy/still-naming';

/** One line with the records of a table. */
const placeOf = (table: string, { id, organisationId, fields }: NamingRecord): string =>
  [
    id === null && table === 'audit_log'
      ? 'a row of audit_log that the run writes'
      : `${table} ${id ?? ''}`.trim(),
    fields.length === 0 ? '' : ` (${fields.join(', ')})`,
    organisationId === null ? '' : `, organisation ${organisationId}`,
  ].join('');

function namingLines({ table, rows, records }: StillNaming): string[] {
  if (rows === null) return [`${table} is too large to be searched at once: check it yourself`];
  const more = rows - records.length;
  return [
    ...records.map((record) => `A name or an address remains in ${placeOf(table, record)}`),
    ...(more > 0 ? [`… and in ${more} more rows of ${table}`] : []),
  ];
}

/** Records that still contain the person, and what to do about them. */
export function remainingLines({ userId, sharedWith, stillNaming }: ErasureReport): string[] {
  return [
    ...sharedWith.map(
      ({ word, table, id, organisationId }) =>
        `Somebody else has ${JSON.stringify(word)} too (${table} ${id}, organisation ${organisationId}): it is not removed`,
    ),
    ...stillNaming.flatMap(namingLines),
    ...(sharedWith.length + stillNaming.length === 0
      ? []
      : [`docs/privacy.md says what to do; then run it again: cli person erase --id ${userId}`]),
  ];
}

function touchedLines({ dryRun, touched }: ErasureReport): string[] {
  const [deleted, emptied] = dryRun ? ['to delete', 'to empty'] : ['deleted', 'emptied'];
  return [
    ...touched.map(({ table, how, rows }) => `  ${table}: ${rows} ${how === 'deleted' ? deleted : emptied}`),
    ...(touched.length === 0 ? ['  there was nothing left to do'] : []),
  ];
}

export const erasureLines = (report: ErasureReport): string[] => [
  `User ${report.userId} ${report.dryRun ? 'would be erased' : 'is erased'}:`,
  ...touchedLines(report),
  ...remainingLines(report),
];

/** Text of the certificate for the operator. It contains no name and no address. */
export function certificateOf(report: ErasureReport): string {
  const { userId, organisationId, erasedOn, sharedWith, stillNaming } = report;
  const lines = [
    'Certificate of an erasure',
    '',
    `User ${userId} of organisation ${organisationId}`,
    `First erased on ${erasedOn} (UTC)`,
    `This run ended on ${new Date().toISOString().slice(0, 10)} (UTC)`,
    '',
    'Records that this run changed:',
    ...touchedLines(report),
    '',
    'What stays:',
    `The row of the user without its name, as erased-${userId}, and its id in other records`,
    'The audit log keeps actions, ids and times',
    'Contents of documents, which nobody searched, and backups from before the erasure',
    ...sharedWith.map(
      ({ table, id, organisationId: owner }) =>
        `A name or an address that somebody else also has (${table} ${id}, organisation ${owner})`,
    ),
    ...stillNaming.flatMap(namingLines),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
