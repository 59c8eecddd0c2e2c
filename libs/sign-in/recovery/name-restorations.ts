import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type StolenAccount, Takeovers } from '@app/lifecycle/takeovers';
import { UserEvents } from '@app/lifecycle/user-events';
import { isNameProved } from '@app/people/users/proved-names';
import { restoreUsername } from '@app/people/users/username-changes';
import { isSuspended } from '@app/security/access/access.queries';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { ownsSecondFactor } from '@app/sign-in/auth/second-factor-losses';
import { EndTakeoverHandler } from './end-takeover.handler';
import { recoveryExpired, RESTORATION_TTL } from './recovery.types';

const INSERT = `
  INSERT INTO name_restorations (user_id, former_name, token_digest, expires_at)
  VALUES ($1, $2, $3, now() + make_interval(secs => $4)) RETURNING expires_at AS "expiresAt"`;

const STOLEN = `
  SELECT u.id AS "userId", u.organisation_id AS "organisationId", r.renamed_at AS since
  FROM name_restorations r JOIN users u ON u.id = r.user_id WHERE r.token_digest = $1`;

/** Locks the user's row before the restoration's, in the same order as every change of a user. */
const LOCK_USER = `
  SELECT u.username AS "presentName", ${isNameProved('u')} AS "isPresentProved"
  FROM name_restorations r JOIN users u ON u.id = r.user_id
  WHERE r.token_digest = $1 AND u.enabled AND u.deleted_at IS NULL AND NOT ${isSuspended('u.organisation_id')}
  FOR NO KEY UPDATE OF u`;

const USE_TOKEN = `
  WITH used AS (
    UPDATE name_restorations SET ended_at = now()
    WHERE token_digest = $1 AND ended_at IS NULL AND expires_at > now() RETURNING id, former_name
  ) SELECT id, former_name AS username FROM used`;

/** Each restoration is inserted under a lock of the user's row, so later ones have higher ids. */
const END_LATER = `
  UPDATE name_restorations SET ended_at = now() WHERE user_id = $1 AND id > $2 AND ended_at IS NULL`;

interface RenamedUser {
  readonly presentName: string;
  readonly isPresentProved: boolean;
}

interface UsedRestoration {
  readonly id: number;
  readonly username: string;
}

/** Restores changed user names, so that a thief of a login cannot keep the account by renaming it. */
@Injectable()
export class NameRestorations {
  constructor(
    private readonly events: UserEvents,
    private readonly takeovers: Takeovers,
    private readonly takeover: EndTakeoverHandler,
  ) {}

  /** Reserves the former name and returns the token that restores it. The token is stored nowhere. */
  async open(
    manager: EntityManager,
    userId: number,
    formerName: string,
  ): Promise<{ token: string; expiresAt: Date }> {
    const token = newSecret();
    const [row] = await manager.query<{ expiresAt: Date }[]>(INSERT, [
      userId,
      formerName,
      digestOf(token),
      RESTORATION_TTL,
    ]);
    return { token, expiresAt: (row as { expiresAt: Date }).expiresAt };
  }

  /**
   * Restores the former name with the new password. Each domain deletes what was added since the name
   * changed, and ends what was made for organisations. Only one of several requests with one token succeeds.
   * Returns the id of the user.
   */
  async restore(manager: EntityManager, token: string, passwordHash: string): Promise<number> {
    const digest = digestOf(token);
    const [stolen] = await manager.query<StolenAccount[]>(STOLEN, [digest]);
    if (stolen === undefined) throw recoveryExpired();
    await this.takeovers.lock(manager, stolen);
    const [user] = await manager.query<RenamedUser[]>(LOCK_USER, [digest]);
    if (user === undefined) throw recoveryExpired();
    const [used] = await manager.query<UsedRestoration[]>(USE_TOKEN, [digest]);
    if (used === undefined) throw recoveryExpired();
    const { userId, organisationId, since } = stolen;
    const { username } = used;
    const hadSecondFactor = await ownsSecondFactor(manager, userId);
    await restoreUsername(manager, userId, { username, passwordHash, since });
    await manager.query(END_LATER, [userId, used.id]);
    await this.events.announce(manager, {
      kind: 'nameRestored',
      userId,
      organisationId,
      username,
      formerName: user.presentName,
      wasProved: user.isPresentProved,
      since,
      hadSecondFactor,
    });
    await this.takeover.end(manager, stolen, username);
    return userId;
  }

  /** Ends all restorations of a disabled user. */
  async end(manager: EntityManager, userId: number): Promise<void> {
    await manager.query(
      'UPDATE name_restorations SET ended_at = now() WHERE user_id = $1 AND ended_at IS NULL',
      [userId],
    );
  }
}
