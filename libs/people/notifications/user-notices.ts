import type { TableRulesOf } from '@app/lifecycle/table-rules';
import type { PasswordReset, SecondFactorDemanded, UserEvent } from '@app/lifecycle/user-events';
import { NotificationRecorder } from './notification-recorder';
import type { NotificationEvent } from './notification.types';

/** Notifies an organisation of new users, and of changed passwords and names. */
export const userNotices: TableRulesOf = (provider) => ({
  table: 'notifications',
  handle: async (manager, event) => {
    if (event.kind === 'secondFactorDemanded') return;
    for (const notice of noticesOf(event)) {
      await provider(NotificationRecorder).record(manager, { ...notice, aboutUserId: event.userId });
    }
  },
});

function noticesOf(event: Exclude<UserEvent, SecondFactorDemanded>): NotificationEvent[] {
  switch (event.kind) {
    case 'created': {
      const { organisationId, fullName, userId: id, actorId: userId } = event;
      const entity = { class: 'User', id, name: fullName };
      return [{ organisationId, group: 'Crm', type: 'new', entity, userId }];
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
    case 'codesGuessed':
      return [securityNotice('codes_guessed', event, null)];
    case 'enabled':
    case 'disabled':
    case 'rolesChanged':
    case 'deleted':
      return [];
  }
}

const securityNotice = (
  type: string,
  { organisationId, userId, username }: Omit<PasswordReset, 'kind'>,
  actorId: number | null,
): NotificationEvent => ({
  organisationId,
  type,
  entity: { class: 'User', id: userId, name: username },
  userId: actorId,
});
