import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { RecoveryCodeCheck } from '@app/people/users/code-checks';
import { secondFactorMissing } from '@app/people/users/user.types';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import type { Caller } from '@app/security/access/caller';
import type { RequestContext } from '@app/security/context/request-context';
import { digestOf } from '@app/security/secrets/digest';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { Throttler } from '@app/security/throttling/throttler';
import { AUTH_NOTIFICATIONS } from './auth.notifications';
import {
  type MadeRecoveryCodes,
  recoveryCodeContext,
  type RecoveryCodeCount,
  secondFactorNotEnabled,
} from './auth.types';
import { RecoveryCode } from './recovery-code.entity';

/** Crockford's base 32: no letter looks like a digit or another letter. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 50 bits are ample: ten attempts are possible in 15 minutes, and digests are encrypted. */
const LENGTH = 10;
const CANONICAL = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** A new code as the user reads it, such as `7k3xp-q0w9d`. */
export function newRecoveryCode(): string {
  const letters = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return `${letters.slice(0, LENGTH / 2).join('')}-${letters.slice(LENGTH / 2).join('')}`;
}

/**
 * The canonical spelling of a typed code. Ignores case, hyphens and blanks, and reads letters that look like
 * digits as those digits. Undefined for any other text, such as the six digits of an authenticator.
 */
export function canonicalRecoveryCode(typed: string): string | undefined {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return CANONICAL.test(code) ? code : undefined;
}

const SET_SIZE = 10;

/**
 * Maximum sets that a user makes within an hour. Each one is audited and mailed.
 */
const MAX_SETS = 10;
const HOUR = 3600;

interface CodeOwner {
  readonly id: number;
  readonly organisationId: number;
  readonly username: string;
}

interface StoredCode {
  readonly id: number;
  readonly encrypted: string;
}

const UNUSED = prepared(
  `SELECT id, encrypted_digest AS encrypted FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL`,
);

const COUNT = prepared(`
  SELECT count(*) FILTER (WHERE used_at IS NULL)::integer AS left,
    floor(extract(epoch FROM max(created_at)))::float8 AS "createdAt"
  FROM recovery_codes WHERE user_id = $1`);

/** Every change of recovery codes first locks the user, whose second factor must be enabled. */
const LOCK_OWNER = `
  SELECT id, organisation_id AS "organisationId", username FROM users
  WHERE id = $1 AND second_factor = 'enabled' AND deleted_at IS NULL FOR NO KEY UPDATE`;

const REPLACE = `
  INSERT INTO recovery_codes (user_id, position, encrypted_digest)
  SELECT $1, code.position, code.encrypted FROM unnest($2::text[]) WITH ORDINALITY AS code (encrypted, position)
  RETURNING floor(extract(epoch FROM created_at))::float8 AS "createdAt"`;

const USE = `
  WITH used AS (UPDATE recovery_codes SET used_at = now() WHERE id = $1 AND used_at IS NULL RETURNING user_id)
  SELECT user_id FROM used`;

/** Recovery codes, for users who have lost their authenticator. */
@Injectable()
export class RecoveryCodes extends RecoveryCodeCheck {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly keyring: SecretsKeyring,
    private readonly notifications: NotificationRecorder,
    private readonly throttler: Throttler,
  ) {
    super();
  }

  isRecoveryCode(text: string): boolean {
    return canonicalRecoveryCode(text) !== undefined;
  }

  async count(userId: number): Promise<RecoveryCodeCount> {
    return (await this.queries.row<RecoveryCodeCount>(COUNT, [userId])) ?? { left: 0, createdAt: null };
  }

  /** Replaces the user's codes. Only this response contains the new ones. */
  async make(caller: Caller): Promise<MadeRecoveryCodes> {
    const { self: userId } = caller;
    await this.throttler.reserve([{ bucket: ['recovery code sets', userId], most: MAX_SETS }], HOUR);
    const codes = Array.from({ length: SET_SIZE }, newRecoveryCode);
    const encrypted = codes.map((code) =>
      this.keyring.encrypt(digestText(code), recoveryCodeContext(userId)),
    );
    return this.transactions.run(caller, async (manager) => {
      const owner = await lockOwner(manager, userId);
      if (owner === undefined) throw secondFactorNotEnabled();
      await manager.delete(RecoveryCode, { userId });
      const [made] = await manager.query<{ createdAt: number }[]>(REPLACE, [userId, encrypted]);
      await this.tell(manager, owner, { type: 'recovery_codes_made', left: SET_SIZE });
      return { codes, left: SET_SIZE, createdAt: (made as { createdAt: number }).createdAt };
    });
  }

  async use(ctx: RequestContext, userId: number, code: string): Promise<void> {
    const stored = await this.queries.rows<StoredCode>(UNUSED, [userId]);
    const presented = Buffer.from(digestText(code));
    const match = stored.find(({ encrypted }) => this.isOf(userId, encrypted, presented));
    if (match === undefined) throw secondFactorMissing('CODE_INVALID');
    await this.transactions.run(ctx, async (manager) => {
      const owner = await lockOwner(manager, userId);
      const used = owner === undefined ? [] : await manager.query<unknown[]>(USE, [match.id]);
      if (owner === undefined || used.length === 0) throw secondFactorMissing('CODE_INVALID');
      const [{ left }] = await manager.query<[RecoveryCodeCount]>(COUNT.text, [userId]);
      await this.tell(manager, owner, { type: 'recovery_code_used', left });
    });
  }

  private isOf(userId: number, encrypted: string, presented: Buffer): boolean {
    return timingSafeEqual(
      Buffer.from(this.keyring.decrypt(encrypted, recoveryCodeContext(userId))),
      presented,
    );
  }

  private async tell(
    manager: EntityManager,
    owner: CodeOwner,
    { type, left }: { type: 'recovery_codes_made' | 'recovery_code_used'; left: number },
  ): Promise<void> {
    await this.notifications.record(manager, AUTH_NOTIFICATIONS[type], {
      organisationId: owner.organisationId,
      entity: { id: owner.id, name: owner.username },
      userId: owner.id,
      aboutUserId: owner.id,
      params: { recoveryCodesLeft: left },
    });
  }
}

const digestText = (code: string): string => digestOf(canonicalRecoveryCode(code) ?? code).toString('hex');

async function lockOwner(manager: EntityManager, userId: number): Promise<CodeOwner | undefined> {
  const [owner] = await manager.query<CodeOwner[]>(LOCK_OWNER, [userId]);
  return owner;
}
