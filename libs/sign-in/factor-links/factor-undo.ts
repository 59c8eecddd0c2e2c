import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { storeSecondFactor } from '@app/people/users/user-rows';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { RequestContext } from '@app/security/context/request-context';
import { digestOf, isSecret } from '@app/security/secrets/digest';
import { AUTH_NOTICES } from '@app/sign-in/auth/auth.notices';
import { endLoginsSince } from '@app/sign-in/auth/login-endings';
import { OtherFactors, type TakenBack } from '@app/sign-in/auth/other-factors';
import { forgetDevices } from '@app/sign-in/auth/second-factor';
import type { UndoableChange } from '@app/sign-in/auth/second-factor-listener';
import { ownsSecondFactor, SecondFactorLosses } from '@app/sign-in/auth/second-factor-losses';
import { transitionsOf } from '@app/sign-in/auth/second-factor-states';
import type { ChangeToUndo } from './factor-link.types';

/**
 * SQL condition: what link `link` of user `u` undoes still stands. An authenticator has the time of its link.
 */
const STANDS = `CASE link.change
    WHEN 'authenticatorAdded' THEN u.second_factor = 'enabled' AND u.second_factor_changed_at = link.changed_at
    ELSE passkey_change_stands(u.id, link.passkey_id, link.change) END`;

const KNOWN_LINK = prepared<KnownLink>(`
  SELECT link.id, link.user_id AS "userId", u.organisation_id AS "organisationId", u.username, u.language,
    link.change, link.passkey_name AS "passkeyName", link.changed_at AS at,
    CASE
      WHEN link.ended_at IS NOT NULL OR NOT ${STANDS} THEN 'ended'
      WHEN link.expires_at > now() THEN 'open'
      ELSE 'expired'
    END AS state
  FROM second_factor_links link JOIN users u ON u.id = link.user_id AND u.deleted_at IS NULL
  WHERE link.token_digest = $1`);

/** The link with its user. */
interface KnownLink extends ChangeToUndo {
  readonly id: number;
  readonly userId: number;
}

/** Locks the user's row before the link's, in the same order as every change of a second factor. */
const LOCK_USER = 'SELECT 1 FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE';

const USE_TOKEN = `
  WITH used AS (
    UPDATE second_factor_links link SET ended_at = now()
    FROM users u WHERE u.id = link.user_id AND link.token_digest = $1 AND link.ended_at IS NULL
      AND link.expires_at > now() AND ${STANDS}
    RETURNING link.change, link.passkey_id, link.passkey_name, link.login_id, link.changed_at
  )
  SELECT change, passkey_id AS "passkeyId", passkey_name AS "passkeyName", login_id AS "loginId",
    changed_at::text AS since
  FROM used`;

interface UsedLink {
  readonly change: UndoableChange;
  /** Null for the authenticator. */
  readonly passkeyId: number | null;
  readonly passkeyName: string;
  readonly loginId: number;
  readonly since: string;
}

/** Undoes changes of second factors by the links in mails. */
@Injectable()
export class FactorUndo {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly losses: SecondFactorLosses,
    private readonly notifications: NotificationRecorder,
    private readonly others: OtherFactors,
  ) {}

  /** Undefined for an unknown token. Changes nothing. */
  async find(token: string): Promise<ChangeToUndo | undefined> {
    const link = await this.linkOf(token);
    if (link === undefined) return undefined;
    const { id, userId, ...change } = link;
    return change;
  }

  /**
   * Undoes the change, and ends the login that made it and all later ones. Only one of several calls with one
   * token returns true; false means that nothing was left to undo.
   * @param ctx the request, so that the audit log has its address
   */
  async undo(token: string, ctx = RequestContext.forJob('factor-links.undo')): Promise<boolean> {
    const link = await this.linkOf(token);
    if (link?.state !== 'open') return false;
    const { id, userId, organisationId } = link;
    ctx.identify({ userId, organisationId, credential: { kind: 'second_factor_link', id } });
    return this.transactions.run(ctx, async (manager) => {
      await manager.query(LOCK_USER, [userId]);
      const [used] = await manager.query<UsedLink[]>(USE_TOKEN, [digestOf(token)]);
      if (used === undefined) return false;
      await endLoginsSince(manager, userId, used);
      const hadSecondFactor = await ownsSecondFactor(manager, userId);
      const undone = await this.takeBack(manager, link, used);
      if (hadSecondFactor) await this.losses.note(manager, userId);
      await this.notifications.record(manager, undone.kind, {
        organisationId,
        entity: undone.entity,
        userId,
        aboutUserId: userId,
      });
      return true;
    });
  }

  private async linkOf(token: string): Promise<KnownLink | undefined> {
    if (!isSecret(token)) return undefined;
    return this.queries.row(KNOWN_LINK, [digestOf(token)]);
  }

  /** Takes the change back. Returns what is told of it. */
  private async takeBack(
    manager: EntityManager,
    { userId, username }: KnownLink,
    { change, passkeyId, passkeyName }: UsedLink,
  ): Promise<TakenBack> {
    if (passkeyId !== null)
      return this.others.takeBack(manager, change, { id: passkeyId, name: passkeyName });
    await storeSecondFactor(manager, userId, transitionsOf('disable'), {});
    await forgetDevices(manager, userId);
    return { kind: AUTH_NOTICES['2fa_disabled'], entity: { id: userId, name: username } };
  }
}
