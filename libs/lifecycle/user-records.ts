import type { EntityManager } from 'typeorm';
import { DeletionHandler, GOES_WITH_ITS_USERS } from './deletions';
import { DELETED_WITH_USER, type Person, type PersonalData, type StoredRecord } from './personal-data';
import type { UserEvent, UserEventHandler } from './user-events';

/**
 * The rows of one table that belong to users (`user_id`): an export shows them, and they are deleted with their user.
 * `libs/service/extensions.ts` lists each class under deletions and personal data, and one with `addedAt` or `deleteSince` under user
 * events too.
 */
export abstract class UserRecords extends DeletionHandler implements PersonalData, UserEventHandler {
  abstract readonly part: string;
  abstract readonly about: string;

  /** The SELECT list of an export, whose rows are ordered by its first column. */
  protected abstract readonly exported: string;

  /** SQL of the time at which a row came in: users who take an older name back lose the rows since it was changed. */
  protected readonly addedAt?: string;

  readonly erase: PersonalData['erase'] = DELETED_WITH_USER;
  readonly withOrganisation: DeletionHandler['withOrganisation'] = GOES_WITH_ITS_USERS;
  readonly withUsers: DeletionHandler['withUsers'] = (manager, userIds) =>
    manager.query(`DELETE FROM ${this.table} WHERE user_id = ANY ($1::integer[])`, [userIds]);

  stored(manager: EntityManager, { id }: Person): Promise<StoredRecord[]> {
    return manager.query(`SELECT ${this.exported} FROM ${this.table} WHERE user_id = $1 ORDER BY 1`, [id]);
  }

  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
    if (event.kind === 'nameRestored') await this.deleteSince(manager, event.userId, event.since);
  }

  protected async deleteSince(manager: EntityManager, userId: number, since: Date): Promise<void> {
    if (this.addedAt === undefined) return;
    await manager.query(`DELETE FROM ${this.table} WHERE user_id = $1 AND ${this.addedAt} >= $2`, [
      userId,
      since,
    ]);
  }
}
