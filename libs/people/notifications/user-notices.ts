import type { TableRulesOf } from '@app/lifecycle/table-rules';
import type { SecondFactorDemanded, UserEvent } from '@app/lifecycle/user-events';
import { NotificationRecorder } from './notification-recorder';
import type { NotificationEvent } from './notification.types';

/** Tells an organisation of new users, and of changed passwords and names. */
export const userNotices: TableRulesOf = (provider) => ({
  table: 'notifications',
  handle: async (manager, event) => {
    if (event.kind === 'secondFactorDemanded') return;
    for (const notice of noticesOf(event)) {
      await provider(NotificationRecorder).record(manager, {
        ...notice,
        entityClass: 'User',
        entityId: event.userId,
        aboutUserId: event.userId,
      });
    }
  },
});

type Notice = Omit<NotificationEvent, 'entityClass' | 'entityId' | 'aboutUserId'>;

function noticesOf(event: Exclude<UserEvent, SecondFactorDemanded>): Notice[] {
  switch (event.kind) {
    case 'created': {
      const { organisationId, fullName: entityName, actorId: userId } = event;
      return [{ organisationId, group: 'Crm', type: 'new', entityName, userId }];
    }
    case 'passwordChanged':
      return [securityNotice('password_changed', event, event.actorId)];
    case 'passwordReset':
      return [securityNotice('password_changed', event, event.userId)];
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
