import type { ReachableService } from '../service/service';

/** Writes a row straight to the database, and gives its id. */
export async function insertRow(
  { sql }: ReachableService,
  table: string,
  columns: Readonly<Record<string, unknown>>,
): Promise<number> {
  const names = Object.keys(columns);
  const places = names.map((_, index) => `$${index + 1}`);
  const [row] = await sql<{ id: number }>(
    `INSERT INTO ${table} (${names.join()}) VALUES (${places.join()}) RETURNING id`,
    Object.values(columns),
  );
  return row?.id as number;
}
