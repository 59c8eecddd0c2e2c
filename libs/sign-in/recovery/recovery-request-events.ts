import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { UserEvent, UserEventHandler } from '@app/lifecycle/user-events';
import { endRequests } from './recovery-requests';
import { RenameMails } from './rename-mails';
import { UsernameLinks } from './username-links';

/** Ends the mailed links that a change of a user has overtaken, and mails those that it asks for. */
@Injectable()
export class RecoveryRequestEvents implements UserEventHandler {
  constructor(
    private readonly renameMails: RenameMails,
    private readonly usernameLinks: UsernameLinks,
  ) {}

  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
    switch (event.kind) {
      // A new password or state of a user ends every recovery that was requested before (rule recovery
      // 8).
      case 'passwordChanged':
      case 'passwordReset':
      case 'enabled':
      case 'disabled':
        return endRequests(manager, [event.userId], 'reset');
      case 'renamed':
        await this.renameMails.send(manager, event);
        await endRequests(manager, [event.userId], 'name');
        return event.isVerified ? undefined : this.usernameLinks.mail(manager, event);
      case 'unverifiedNameSent':
        return this.usernameLinks.mailAgain(manager, event);
      case 'registeredUnverified':
        return this.usernameLinks.mail(manager, event);
      case 'nameTaken':
        return endRequests(
          manager,
          event.holders.map(({ userId }) => userId),
          'name',
        );
      default:
    }
  }
}
