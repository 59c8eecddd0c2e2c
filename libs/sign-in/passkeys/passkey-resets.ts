import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { UserEvent, UserEventHandler } from '@app/lifecycle/user-events';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { Passkey } from './passkey.entity';
import { PASSKEY_NOTIFICATIONS } from './passkeys.notifications';

/**
 * A reset deletes recent passkeys, because an attacker with the old password may have added them (rule
 * passkeys 35), and one that gives the former name back also those since $2.
 */
const END_NEW = `
  WITH ended AS (
    DELETE FROM passkeys WHERE user_id = $1 AND created_at > least(now() - interval '7 days', $2::timestamptz)
    RETURNING id, name
  ) SELECT id, name FROM ended ORDER BY id`;

/**
 * Deletes the passkeys that a user added in the last 7 days, or since an earlier time. Lock the user's row
 * first.
 */
export const endNewPasskeys = (
  manager: EntityManager,
  userId: number,
  since?: Date,
): Promise<{ readonly id: number; readonly name: string }[]> =>
  manager.query(END_NEW, [userId, since ?? null]);

/** Deletes all passkeys of a user. */
export async function endPasskeys(manager: EntityManager, userId: number): Promise<void> {
  await manager.delete(Passkey, { userId });
}

/** Deletes recent passkeys at a reset of the password, and notifies of each. */
@Injectable()
export class PasskeyResets implements UserEventHandler {
  constructor(private readonly notifications: NotificationRecorder) {}

  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
    if (event.kind !== 'passwordReset') return;
    const { userId, organisationId, untrustedSince } = event;
    for (const { id, name } of await endNewPasskeys(manager, userId, untrustedSince)) {
      await this.notifications.record(manager, PASSKEY_NOTIFICATIONS.removed_by_reset, {
        organisationId,
        entity: { id, name },
        userId,
        aboutUserId: userId,
      });
    }
  }
}
