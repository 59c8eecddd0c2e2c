import type { EntityManager } from 'typeorm';
import type { DataCheck } from '@app/lifecycle/data-check';

/** Wrong records that a data check found. */
export interface WrongRecords {
  readonly found: number;
  readonly examples: readonly string[];
}

/** Maximum findings of a check that are listed. */
const MAX_EXAMPLES = 5;

export async function wrongRecords(
  manager: EntityManager,
  { suspect, wrong }: DataCheck,
): Promise<WrongRecords> {
  if (suspect !== undefined && (await manager.query<object[]>(suspect)).length === 0)
    return { found: 0, examples: [] };
  const [records] = await manager.query<[WrongRecords]>(
    `WITH wrong AS MATERIALIZED (${wrong})
     SELECT (SELECT count(*) FROM wrong) AS found,
       ARRAY(SELECT example::text FROM wrong ORDER BY example LIMIT ${MAX_EXAMPLES}) AS examples`,
  );
  return records;
}
