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
    const notice = noticeOf(event);
    if (notice === undefined) return;
    await this.notifications.record(manager, {
      ...notice,
      entityClass: 'User',
      entityId: event.userId,
      aboutUserId: event.userId,
    });
  }
}

type Notice = Omit<NotificationEvent, 'entityClass' | 'entityId' | 'aboutUserId'>;

function noticeOf(event: UserEvent): Notice | undefined {
  switch (event.kind) {
    case 'created':
      return {
        organisationId: event.organisationId,
        group: 'Crm',
        type: 'new',
        entityName: event.fullName,
        userId: event.actorId,
      };
    case 'passwordChanged':
      return {
        organisationId: event.organisationId,
        group: 'System',
        type: 'password_changed',
        entityName: event.username,
        userId: event.actorId,
      };
    case 'renamed':
      return {
        organisationId: event.organisationId,
        group: 'System',
        type: 'name_changed',
        entityName: event.username,
        userId: event.actorId,
        ownName: event.username,
      };
    case 'enabled':
    case 'disabled':
      return undefined;
  }
}
