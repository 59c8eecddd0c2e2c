import type { EntityManager, EntityTarget, QueryDeepPartialEntity } from 'typeorm';

/** Inserts one row, whose id PostgreSQL gives, and returns the id. */
export async function insertReturningId<Row extends { id: number }>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  values: QueryDeepPartialEntity<Row>,
): Promise<number> {
  const { identifiers } = await manager.insert(entity, values);
  return (identifiers[0] as { id: number }).id;
}
