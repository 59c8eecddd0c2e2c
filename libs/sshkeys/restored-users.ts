import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UserEventHandler, type UserEvent } from '@app/users/user-events';

/** SSH keys that came in since the name was changed that a user takes back go with that change. */
@Injectable()
export class SshKeysOfRestoredUsers extends UserEventHandler {
  readonly position = 100;

  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
    if (event.kind !== 'nameRestored') return;
    await manager.query(
      `DELETE FROM ssh_keys WHERE user_id = $1 AND greatest(created_at, key_changed_at) >= $2`,
      [event.userId, event.since],
    );
  }
}
