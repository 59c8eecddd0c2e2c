import type { EntityManager } from 'typeorm';
import { User } from './user.entity';

/** Stores another hash of a user's password, whatever is stored. */
export async function storePasswordHash(
  manager: EntityManager,
  userId: number,
  passwordHash: string,
): Promise<void> {
  await manager.update(User, { id: userId }, { passwordHash });
}

/**
 * Stores another hash in place of the one that was checked, and tells whether that was still there: of two changes
 * at once, or of a change and a reset, one counts.
 */
export async function replacePasswordHash(
  manager: EntityManager,
  userId: number,
  checkedHash: string,
  passwordHash: string,
): Promise<boolean> {
  const checked = { id: userId, passwordHash: checkedHash };
  const { affected } = await manager.update(User, checked, { passwordHash });
  return affected === 1;
}
