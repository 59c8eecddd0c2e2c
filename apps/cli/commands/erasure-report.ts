import type { ErasureReport } from '@app/records/privacy/person-erasure';

/** What every erasure leaves to a person. */
export const NOT_SEARCHED =
  'Texts that people wrote, such as the name of a team or the reason of a suspension, and documents were not searched';

export const erasureLines = ({ userId, dryRun, touched }: ErasureReport): string[] => [
  `User ${userId} ${dryRun ? 'would be erased' : 'is erased'}. Rows ${dryRun ? 'to delete or empty' : 'deleted or emptied'}:`,
  ...touched.map(({ table, rows }) => `  ${table}: ${rows}`),
  ...(touched.length === 0 ? ['  there was nothing left to do'] : []),
  NOT_SEARCHED,
  ...(dryRun ? [] : [`It can be run again: cli person erase --id ${userId}`]),
];
