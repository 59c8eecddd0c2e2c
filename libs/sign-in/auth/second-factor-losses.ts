import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { secondFactorMissing } from '@app/people/users/user.types';
import { AUTH_NOTICES } from './auth.notices';

/** Time until the only manager of an organisation may set up a second factor again (rule recovery 93). */
const WAIT = '72 hours';

/**
 * SQL condition: user `u` is the only enabled manager of its organisation. No CUSTADMIN acts
 * on a user with ROLE_ADMIN.
 */
const IS_ONLY_MANAGER = `(u.enabled AND u.roles && '{ROLE_ADMIN,ROLE_CUSTADMIN}' AND NOT EXISTS (
    SELECT FROM users other WHERE other.organisation_id = u.organisation_id AND other.id <> u.id
      AND other.enabled AND other.deleted_at IS NULL
      AND ('ROLE_ADMIN' = ANY (other.roles)
        OR ('ROLE_CUSTADMIN' = ANY (other.roles) AND NOT 'ROLE_ADMIN' = ANY (u.roles)))))`;

const NOTE = `
  WITH lost AS (
    INSERT INTO second_factor_losses (user_id, opens_at)
    SELECT u.id, CASE WHEN ${IS_ONLY_MANAGER} THEN now() + interval '${WAIT}' END
    FROM users u JOIN organisations o ON o.id = u.organisation_id
    WHERE u.id = $1 AND u.deleted_at IS NULL AND o.required_2fa AND NOT has_second_factor(u.id)
    ON CONFLICT ON CONSTRAINT second_factor_losses_once DO NOTHING RETURNING user_id, opens_at
  )
  SELECT u.organisation_id AS "organisationId", u.username,
    to_char(lost.opens_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS "opensAt"
  FROM lost JOIN users u ON u.id = lost.user_id`;

const OWNS = 'SELECT has_second_factor($1) AS owns';

const IS_BARRED = `
  SELECT 1 FROM second_factor_losses lost JOIN users u ON u.id = lost.user_id
  JOIN organisations o ON o.id = u.organisation_id
  WHERE u.id = $1 AND o.required_2fa AND NOT (coalesce(lost.opens_at <= now(), false) AND ${IS_ONLY_MANAGER})`;

interface NewLoss {
  readonly organisationId: number;
  readonly username: string;
  /** Null if another manager can help. */
  readonly opensAt: string | null;
}

/**
 * Where an organisation demands a second factor, a mailbox is no way to another one: who loses the last one
 * by a link or a reset needs a manager for the next (rule recovery 90). Lock the user's row first.
 */
@Injectable()
export class SecondFactorLosses {
  constructor(private readonly notifications: NotificationRecorder) {}

  /**
   * After a second factor went by a link or a reset: ask {@link ownsSecondFactor} before, since what did not
   * count was none. Tells when the only manager of the organisation may set one up again.
   */
  async note(manager: EntityManager, userId: number): Promise<void> {
    const [loss] = await manager.query<NewLoss[]>(NOTE, [userId]);
    if (loss === undefined || loss.opensAt === null) return;
    await this.notifications.record(manager, AUTH_NOTICES['2fa_lost'], {
      organisationId: loss.organisationId,
      entity: { id: userId, name: loss.username },
      userId: null,
      aboutUserId: userId,
      params: { opensAt: loss.opensAt },
    });
  }
}

/** Whether a user has an authenticator or a passkey that counts. Lock the user's row first. */
export async function ownsSecondFactor(manager: EntityManager, userId: number): Promise<boolean> {
  const [user] = await manager.query<{ owns: boolean }[]>(OWNS, [userId]);
  return user?.owns === true;
}

/** Before a user adds a second factor. Throws 401 if a manager has to ask for it first. */
export async function assertNotBarred(manager: EntityManager, userId: number): Promise<void> {
  const barred = await manager.query<unknown[]>(IS_BARRED, [userId]);
  if (barred.length > 0) throw secondFactorMissing('SECOND_FACTOR_NEEDS_MANAGER');
}

/** A manager asked for a second factor, or the operator made sure of the person. */
export async function endSecondFactorLoss(manager: EntityManager, userId: number): Promise<void> {
  await manager.query('DELETE FROM second_factor_losses WHERE user_id = $1', [userId]);
}
