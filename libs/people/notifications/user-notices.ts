import type { EntityManager } from 'typeorm';
import type { TableRules } from '@app/lifecycle/table-rules';
import type { OfUser, RolesChanged, UserEvent, UserRenamed } from '@app/lifecycle/user-events';
import type { NewsOfUser } from './notification-kind';
import { NotificationRecorder } from './notification-recorder';
import { ORGANISATION_NOTICES } from './organisations.notices';
import { USER_NOTICES } from './users.notices';

/** A kind of news of which the user is told too. */
type SecurityNotice = Exclude<keyof typeof USER_NOTICES, 'new' | 'link_codes_guessed'>;
type OwnNews = NewsOfUser['ownNews'];

/**
 * Notifies an organisation of new users, of changed passwords and names, of users who become managers, and
 * that it no longer demands a second factor.
 */
export const userNotices: TableRules = {
  table: 'notifications',
  made: (provider) => ({
    handle: (manager, event) => tell(manager, event, provider(NotificationRecorder)),
  }),
};

async function tell(
  manager: EntityManager,
  event: UserEvent,
  notifications: NotificationRecorder,
): Promise<void> {
  const about = (kind: SecurityNotice, user: OfUser, actorId: number | null, ownNews?: OwnNews) =>
    notifications.record(manager, USER_NOTICES[kind], {
      organisationId: user.organisationId,
      entity: { id: user.userId, name: user.username },
      userId: actorId,
      aboutUserId: user.userId,
      ...(ownNews !== undefined && { ownNews }),
    });
  switch (event.kind) {
    case 'created': {
      const { organisationId, fullName: name, userId: id, actorId: userId } = event;
      const entity = { id, name };
      return notifications.record(manager, USER_NOTICES.new, {
        organisationId,
        entity,
        userId,
        aboutUserId: id,
      });
    }
    case 'passwordChanged':
      return about('password_changed', event, event.actorId);
    case 'passwordReset':
      return about('password_changed', event, event.userId);
    case 'renamed':
      return about('name_changed', event, event.actorId, ownNewsOf(event));
    case 'nameDenied':
      return about(event.why === 'mailbox' ? 'name_denied' : 'name_returned', event, null);
    case 'nameRestored':
      await about('name_changed', event, event.userId);
      return about('password_changed', event, event.userId);
    case 'codesGuessed':
      if (event.serviceKey === undefined) return about('codes_guessed', event, null);
      return tellOfLinks(notifications, manager, event, event.serviceKey);
    // The mailbox of the unproved or former name of these users has registered by it.
    case 'nameTaken':
      for (const user of [...event.holders, ...event.told])
        await about(event.holders.includes(user) ? 'name_taken' : 'told_name_taken', user, null);
      return;
    case 'rolesChanged':
      if (isPromotion(event)) await about('promoted', event, event.actorId);
      return;
    case 'secondFactorDemandLifted': {
      const { organisationId, name, actorId: userId } = event;
      const entity = { id: organisationId, name };
      return notifications.record(manager, ORGANISATION_NOTICES['2fa_demand_lifted'], {
        organisationId,
        entity,
        userId,
      });
    }
    case 'secondFactorDemanded':
    case 'enabled':
    case 'disabled':
    case 'deleted':
    case 'loginsEnded':
    case 'unprovedNameSent':
    case 'registeredUnproved':
    case 'nameProved':
      return;
  }
}

/** The maker of the links has the key, so the news name it. */
const tellOfLinks = (
  notifications: NotificationRecorder,
  manager: EntityManager,
  { organisationId, userId: id, username: name }: OfUser,
  program: string,
): Promise<void> =>
  notifications.record(manager, USER_NOTICES.link_codes_guessed, {
    organisationId,
    entity: { id, name },
    userId: null,
    aboutUserId: id,
    params: { program },
  });

/** Whether the user becomes a manager of the organisation. */
const isPromotion = ({ roles, formerRoles }: RolesChanged): boolean =>
  roles.includes('ROLE_CUSTADMIN') && !formerRoles.includes('ROLE_CUSTADMIN');

/**
 * Who is mailed about a changed name besides the organisation. The mail with the link that proves it is the
 * news for the new name, and a mail of its own tells the former one, if that was proved.
 */
function ownNewsOf({ isProved, wasProved, actorId, userId }: UserRenamed): OwnNews {
  if (isProved) return 'all';
  return !wasProved && actorId === userId ? 'proved' : 'none';
}
