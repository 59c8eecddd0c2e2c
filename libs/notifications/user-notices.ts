import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UserEventHandler, type UserEvent } from '@app/users/user-events';
import { NotificationRecorder } from './notification-recorder';
import type { NotificationEvent } from './notification.types';

/** Tells an organisation of new users, and of changed passwords and names. */
@Injectable()
export class UserNotices extends UserEventHandler {
  /** Last: contacts that a change brings or takes away count already. */
  readonly position = 130;

  constructor(private readonly notifications: NotificationRecorder) {
    super();
  }

  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
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

function noticesOf(event: UserEvent): Notice[] {
  switch (event.kind) {
    case 'created':
      return [
        {
          organisationId: event.organisationId,
          group: 'Crm',
          type: 'new',
          entityName: event.fullName,
          userId: event.actorId,
        },
      ];
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
  userId: number,
): Notice => ({ organisationId, group: 'System', type, entityName: username, userId });
