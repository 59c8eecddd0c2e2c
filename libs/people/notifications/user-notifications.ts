import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type {
  OfUser,
  RolesChanged,
  UserDeleted,
  UserEvent,
  UserEventHandler,
  UserRenamed,
} from '@app/lifecycle/user-events';
import type { NotificationInput } from './notification-kind';
import { NotificationRecorder } from './notification-recorder';
import { ORGANISATION_NOTIFICATIONS } from './organisations.notifications';
import { USER_NOTIFICATIONS } from './users.notifications';

/** A kind of notification of which the user is told too. */
type SecurityNotificationType = Exclude<
  keyof typeof USER_NOTIFICATIONS,
  'new' | 'deleted' | 'account_recovered'
>;

/**
 * Notifies an organisation of new users, of changed passwords and names, of users who become managers or are
 * no managers any more, and that it no longer demands a second factor.
 */
@Injectable()
export class UserNotifications implements UserEventHandler {
  constructor(private readonly notifications: NotificationRecorder) {}

  handle(manager: EntityManager, event: UserEvent): Promise<void> {
    return record(manager, event, this.notifications);
  }
}

async function record(
  manager: EntityManager,
  event: UserEvent,
  notifications: NotificationRecorder,
): Promise<void> {
  const about = (
    kind: SecurityNotificationType,
    user: OfUser,
    actorId: number | null,
    more: Pick<NotificationInput, 'ownNotification' | 'heardBefore'> = {},
  ) =>
    notifications.record(manager, USER_NOTIFICATIONS[kind], {
      organisationId: user.organisationId,
      entity: { id: user.userId, name: user.username },
      userId: actorId,
      aboutUserId: user.userId,
      ...more,
    });
  switch (event.kind) {
    case 'created': {
      const { organisationId, fullName: name, userId: id, actorId: userId } = event;
      const entity = { id, name };
      return notifications.record(manager, USER_NOTIFICATIONS.new, {
        organisationId,
        entity,
        userId,
        aboutUserId: id,
      });
    }
    case 'passwordChanged':
      return about('password_changed', event, event.actorId);
    case 'passwordReset':
      await about('password_changed', event, event.userId);
      if (event.untrustedSince !== undefined)
        await notifyOfRecovery(notifications, manager, event, event.untrustedSince);
      return;
    case 'renamed':
      return about('name_changed', event, event.actorId, ownNotificationOf(event));
    case 'codesGuessed':
      return about('codes_guessed', event, null);
    // The mailbox of the unverified name of these users has registered by it.
    case 'nameTaken':
      for (const user of event.holders) await about('name_taken', user, null);
      return;
    case 'rolesChanged':
      if (isPromotion(event)) await about('promoted', event, event.actorId);
      if (isDemotion(event)) await about('demoted', event, event.actorId, { heardBefore: event.userId });
      return;
    case 'disabled':
      if (event.isManager && event.isChange)
        await about('disabled', event, event.actorId, { heardBefore: event.userId });
      return;
    case 'deleted':
      if (event.isManager) await notifyOfDeletion(notifications, manager, event);
      return;
    case 'secondFactorDemandLifted': {
      const { organisationId, name, actorId: userId } = event;
      const entity = { id: organisationId, name };
      return notifications.record(manager, ORGANISATION_NOTIFICATIONS['2fa_demand_lifted'], {
        organisationId,
        entity,
        userId,
      });
    }
    case 'secondFactorDemanded':
    case 'enabled':
    case 'loginsEnded':
    case 'unverifiedNameSent':
    case 'registeredUnverified':
      return;
  }
}

/** Between the times a thief may have acted: the audit log says what was done. */
const notifyOfRecovery = (
  notifications: NotificationRecorder,
  manager: EntityManager,
  { organisationId, userId, username: name }: OfUser,
  since: Date,
): Promise<void> =>
  notifications.record(manager, USER_NOTIFICATIONS.account_recovered, {
    organisationId,
    entity: { id: userId, name },
    userId,
    aboutUserId: userId,
    params: { from: inUtc(since), to: inUtc(new Date()) },
  });

/** To the minute, as other times of params: readers of the log have them in any zone. */
const inUtc = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The name goes with the user, before anybody reads it. */
const notifyOfDeletion = (
  notifications: NotificationRecorder,
  manager: EntityManager,
  { organisationId, userId: id, actorId: userId }: UserDeleted,
): Promise<void> =>
  notifications.record(manager, USER_NOTIFICATIONS.deleted, {
    organisationId,
    entity: { id, name: '' },
    userId,
    aboutUserId: id,
    heardBefore: id,
    params: { user: id },
  });

/** Whether the user becomes a manager of the organisation. */
const isPromotion = ({ roles, formerRoles }: RolesChanged): boolean =>
  roles.includes('ROLE_CUSTADMIN') && !formerRoles.includes('ROLE_CUSTADMIN');

/** Whether the user is a manager of the organisation no more. */
const isDemotion = ({ roles, formerRoles }: RolesChanged): boolean =>
  formerRoles.includes('ROLE_CUSTADMIN') && !roles.includes('ROLE_CUSTADMIN');

/**
 * Mails of their own tell the mailbox until then, and ask an unverified new one for its owner. So the
 * notification goes to the user only where the operator gave the name.
 */
const ownNotificationOf = ({
  isVerified,
  actorId,
  userId,
}: UserRenamed): Pick<NotificationInput, 'ownNotification'> =>
  isVerified && actorId !== userId ? {} : { ownNotification: 'none' };
