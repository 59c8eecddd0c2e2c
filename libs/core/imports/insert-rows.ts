import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

/**
 * Inserts many rows by one statement of one parameter, whatever their number. Each has the properties of the first;
 * columns that it leaves out get their defaults.
 */
export async function insertRows<Row extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  rows: readonly Partial<Row>[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const metadata = manager.connection.getMetadata(entity);
  const columns = Object.keys(first).map((property) => {
    const column = metadata.findColumnWithPropertyName(property);
    if (column === undefined) throw new TypeError(`${metadata.tableName} has no column ${property}`);
    return { property, name: column.databaseName };
  });
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = rows.map((row) =>
    Object.fromEntries(columns.map(({ property, name }) => [name, storable(row[property])])),
  );
  await manager.query(
    `INSERT INTO ${metadata.tableName} (${names})
     SELECT ${names} FROM jsonb_populate_recordset(NULL::${metadata.tableName}, $1::jsonb)`,
    [JSON.stringify(values)],
  );
}

/** Bytes as PostgreSQL reads them from text. */
const storable = (value: unknown): unknown =>
  Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;
