import type { EntityManager } from 'typeorm';
import type { TableRulesOf } from '@app/lifecycle/table-rules';
import type {
  NameTaken,
  OfUser,
  SecondFactorDemanded,
  UserEvent,
  UserRenamed,
} from '@app/lifecycle/user-events';
import type { NotificationEvent } from './notification.types';
import { NotificationRecorder } from './notification-recorder';

/** Notifies an organisation of new users, and of changed passwords and names. */
export const userNotices: TableRulesOf = (provider) => ({
  table: 'notifications',
  handle: async (manager, event) => {
    if (event.kind === 'secondFactorDemanded') return;
    if (event.kind === 'nameTaken') return tellOfTakenName(manager, event, provider(NotificationRecorder));
    for (const notice of noticesOf(event)) {
      await provider(NotificationRecorder).record(manager, { ...notice, aboutUserId: event.userId });
    }
  },
});

function noticesOf(event: Exclude<UserEvent, SecondFactorDemanded | NameTaken>): NotificationEvent[] {
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
      return [{ ...securityNotice('name_changed', event, event.actorId), ownNews: ownNewsOf(event) }];
    case 'nameDenied':
      return [securityNotice(event.why === 'mailbox' ? 'name_denied' : 'name_returned', event, null)];
    case 'nameRestored':
      return [
        securityNotice('name_changed', event, event.userId),
        securityNotice('password_changed', event, event.userId),
      ];
    case 'codesGuessed':
      return [{ ...securityNotice('codes_guessed', event, null), isWarning: true }];
    case 'enabled':
    case 'disabled':
    case 'rolesChanged':
    case 'deleted':
    case 'unprovedNameSent':
    case 'registeredUnproved':
    case 'nameProved':
      return [];
  }
}

/**
 * Who is mailed about a changed name besides the organisation. The mail with the link that proves it is the
 * news for the new name, and a mail of its own tells the former one, if that was proved.
 */
function ownNewsOf({ isProved, wasProved, actorId, userId }: UserRenamed): NotificationEvent['ownNews'] {
  if (isProved) return 'all';
  return !wasProved && actorId === userId ? 'proved' : 'none';
}

/**
 * Tells users, and their organisations, that the mailbox of their unproved or former
 * name has registered by it.
 */
async function tellOfTakenName(
  manager: EntityManager,
  { holders, told }: NameTaken,
  notifications: NotificationRecorder,
): Promise<void> {
  for (const user of [...holders, ...told]) {
    const type = holders.includes(user) ? 'name_taken' : 'told_name_taken';
    await notifications.record(manager, { ...securityNotice(type, user, null), aboutUserId: user.userId });
  }
}

const securityNotice = (
  type: string,
  { organisationId, userId, username }: OfUser,
  actorId: number | null,
): NotificationEvent => ({
  organisationId,
  type,
  entity: { class: 'User', id: userId, name: username },
  userId: actorId,
});
