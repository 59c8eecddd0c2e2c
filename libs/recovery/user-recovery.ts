import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UserEventHandler, type UserEvent } from '@app/users/user-events';
import { endRecovery } from './recovery-ending';

/** Changes of password, address and state end every way back in that was opened before (decisions.md section 10). */
@Injectable()
export class UserRecovery extends UserEventHandler {
  readonly position = 30;

  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
    if (event.kind !== 'created') await endRecovery(manager, [event.userId]);
  }
}
