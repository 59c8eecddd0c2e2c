import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UserEventHandler, type UserEvent } from '@app/users/user-events';

/** Recovery codes that were made since the name was changed that a user takes back go with that change. */
@Injectable()
export class RecoveryCodesOfRestoredUsers extends UserEventHandler {
  readonly position = 37;

  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
    if (event.kind !== 'nameRestored') return;
    await manager.query(`DELETE FROM recovery_codes WHERE user_id = $1 AND created_at >= $2`, [
      event.userId,
      event.since,
    ]);
  }
}
