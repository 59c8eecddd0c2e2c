import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { UserEvent, UserEventHandler } from '@app/lifecycle/user-events';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { storeSecondFactor } from '@app/people/users/user-rows';
import { AUTH_NOTIFICATIONS } from './auth.notifications';

const IS_NEW = `SELECT id FROM users WHERE id = $1 AND second_factor = 'enabled' AND second_factor_changed_at >= $2`;

/**
 * A reset that gives the former name back ends an authenticator that was switched on since some days before
 * it was changed (rule recovery 27). An authenticator has no table of its own: its recovery codes stand for
 * it.
 */
@Injectable()
export class AuthenticatorResets implements UserEventHandler {
  constructor(private readonly notifications: NotificationRecorder) {}

  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
    if (event.kind !== 'passwordReset' || event.untrustedSince === undefined) return;
    const { userId, organisationId, username, untrustedSince } = event;
    const found = await manager.query<object[]>(IS_NEW, [userId, untrustedSince]);
    if (found.length === 0) return;
    // The reset has locked the row.
    await storeSecondFactor(manager, userId, { enabled: 'disabled' }, {});
    await this.notifications.record(manager, AUTH_NOTIFICATIONS['2fa_disabled'], {
      organisationId,
      entity: { id: userId, name: username },
      userId,
      aboutUserId: userId,
    });
  }
}
