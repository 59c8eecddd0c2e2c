import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type SecondFactorDemanded, type UserEvent, UserEventHandler } from '@app/lifecycle/user-events';
import { NotificationRecorder } from './notification-recorder';
import type { NotificationEvent } from './notification.types';

/** Tells an organisation of new users, and of changed passwords and names. */
@Injectable()
export class UserNotices extends UserEventHandler {
  constructor(private readonly notifications: NotificationRecorder) {
    super();
  }

  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
    if (event.kind === 'secondFactorDemanded') return;
    for (const notice of noticesOf(event)) {
      await this.notifications.record(manager, {
        ...notice,
        entityClass: 'User',
        entityId: event.userId,
        aboutUserId: event.userId,
      });
    }
  }
}

type Notice = Omit<NotificationEvent, 'entityClass' | 'entityId' | 'aboutUserId'>;

function noticesOf(event: Exclude<UserEvent, SecondFactorDemanded>): Notice[] {
  switch (event.kind) {
    case 'created': {
      const { organisationId, fullName: entityName, actorId: userId } = event;
      return [{ organisationId, group: 'Crm', type: 'new', entityName, userId }];
    }
    case 'passwordChanged':
      return [securityNotice('password_changed', event, event.actorId)];
    case 'renamed':
      return [{ ...securityNotice('name_changed', event, event.actorId), ownName: event.username }];
    case 'nameRestored':
      return [
        securityNotice('name_changed', event, event.userId),
        securityNotice('password_changed', event, event.userId),
      ];
    case 'enabled':
    case 'disabled':
      return [];
  }
}

const securityNotice = (
  type: string,
  { organisationId, username }: { readonly organisationId: number; readonly username: string },
  userId: number | null,
): Notice => ({ organisationId, group: 'System', type, entityName: username, userId });
