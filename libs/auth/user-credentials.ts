import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UserEventHandler, type UserEvent } from '@app/users/user-events';
import { forgetDevices } from './device-trust';
import { endLogins } from './login-endings';

/** Ends what a user is logged in with where a change of the user ends it (decisions.md sections 5 and 10). */
@Injectable()
export class UserCredentials extends UserEventHandler {
  readonly position = 20;

  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
    if (event.kind === 'passwordChanged') await endLogins(manager, event.userId, event.keptLoginId);
    if (event.kind !== 'disabled' && event.kind !== 'nameRestored') return;
    await endLogins(manager, event.userId);
    await forgetDevices(manager, event.userId);
  }
}
