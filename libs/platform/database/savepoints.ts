import type { EntityManager } from 'typeorm';
import { isConstraintViolation } from '../errors/sqlstate';

/**
 * Does a part of a transaction that may fail by a constraint. False if it did: then that part,
 * and nothing else, is undone.
 */
export async function attempted(manager: EntityManager, work: () => Promise<unknown>): Promise<boolean> {
  await manager.query('SAVEPOINT attempt');
  try {
    await work();
  } catch (error) {
    if (!isConstraintViolation(error)) throw error;
    await manager.query('ROLLBACK TO SAVEPOINT attempt');
    return false;
  }
  await manager.query('RELEASE SAVEPOINT attempt');
  return true;
}
