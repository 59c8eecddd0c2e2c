import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UserEventHandler, type UserEvent } from '@app/users/user-events';
import { ApiKey } from './api-key.entity';

/** A user who takes an older name back has no API key any more, whoever made it (decisions.md section 11). */
@Injectable()
export class ApiKeysOfRestoredUsers extends UserEventHandler {
  readonly position = 45;

  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
    if (event.kind === 'nameRestored') await manager.delete(ApiKey, { userId: event.userId });
  }
}
