import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { assertCredentialStands } from '@app/access/held-credential';
import type { Caller } from '@app/core/access/caller';
import { prepared, PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { digestOf } from '@app/core/secrets/digest';
import { SecretsKeyring } from '@app/core/secrets/encryption';
import { NotificationRecorder } from '@app/notifications/notification-recorder';
import { SubstituteCodes } from '@app/users/substitute-codes';
import { SecondFactorMissing } from '@app/users/credentials.errors';
import { SecondFactorNotEnabled } from './auth.errors';
import { canonicalRecoveryCode, newRecoveryCode } from './recovery-code-text';
import type { MadeRecoveryCodes, RecoveryCodeCount } from './recovery-codes.types';

/** Codes of a set. */
const SET_SIZE = 10;

/** Whose code a sealed digest is of: what its encryption is bound to. */
export const recoveryCodeContext = (userId: number): string => `recovery_codes.sealed_digest:${userId}`;

interface CodeOwner {
  readonly id: number;
  readonly organisationId: number;
  readonly username: string;
}

interface StoredCode {
  readonly id: number;
  readonly sealed: string;
}

const UNUSED = prepared(
  `SELECT id, sealed_digest AS sealed FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL`,
);

const COUNT = prepared(`
  SELECT count(*) FILTER (WHERE used_at IS NULL)::integer AS left,
    floor(extract(epoch FROM max(created_at)))::float8 AS "createdAt"
  FROM recovery_codes WHERE user_id = $1`);

/** Codes come, are used and go under a lock of the user whose second factor is on. */
const LOCK_OWNER = `
  SELECT id, organisation_id AS "organisationId", username FROM users
  WHERE id = $1 AND second_factor = 'enabled' AND deleted_at IS NULL FOR NO KEY UPDATE`;

const REPLACE = `
  INSERT INTO recovery_codes (user_id, position, sealed_digest)
  SELECT $1, code.position, code.sealed FROM unnest($2::text[]) WITH ORDINALITY AS code (sealed, position)
  RETURNING floor(extract(epoch FROM created_at))::float8 AS "createdAt"`;

const USE = `
  WITH used AS (UPDATE recovery_codes SET used_at = now() WHERE id = $1 AND used_at IS NULL RETURNING user_id)
  SELECT user_id FROM used`;

/** The codes of users who have lost their authenticator. */
@Injectable()
export class RecoveryCodes extends SubstituteCodes {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly transactions: Transactions,
    private readonly keyring: SecretsKeyring,
    private readonly notifications: NotificationRecorder,
  ) {
    super();
  }

  isMeant(text: string): boolean {
    return canonicalRecoveryCode(text) !== undefined;
  }

  async count(userId: number): Promise<RecoveryCodeCount> {
    return (await this.queries.row<RecoveryCodeCount>(COUNT, [userId])) ?? { left: 0, createdAt: null };
  }

  /** A new set in the place of the one before; its codes are in this answer and nowhere else. */
  async make({ userId, credential }: Caller): Promise<MadeRecoveryCodes> {
    const codes = Array.from({ length: SET_SIZE }, newRecoveryCode);
    const sealed = codes.map((code) => this.keyring.encrypt(digestText(code), recoveryCodeContext(userId)));
    return this.transactions.run(async (manager) => {
      const owner = await lockOwner(manager, userId);
      if (owner === undefined) throw new SecondFactorNotEnabled();
      await assertCredentialStands(manager, credential);
      await manager.query(`DELETE FROM recovery_codes WHERE user_id = $1`, [userId]);
      const [made] = await manager.query<{ createdAt: number }[]>(REPLACE, [userId, sealed]);
      await this.tell(manager, owner, { type: 'recovery_codes_made', left: SET_SIZE });
      return { codes, left: SET_SIZE, createdAt: (made as { createdAt: number }).createdAt };
    });
  }

  async use(userId: number, code: string): Promise<void> {
    const stored = await this.queries.rows<StoredCode>(UNUSED, [userId]);
    const presented = Buffer.from(digestText(code));
    const match = stored.find(({ sealed }) => this.isOf(userId, sealed, presented));
    if (match === undefined) throw new SecondFactorMissing('CODE_INVALID');
    await this.transactions.run(async (manager) => {
      const owner = await lockOwner(manager, userId);
      const used = owner === undefined ? [] : await manager.query<unknown[]>(USE, [match.id]);
      if (owner === undefined || used.length === 0) throw new SecondFactorMissing('CODE_INVALID');
      const [{ left }] = await manager.query<[RecoveryCodeCount]>(COUNT.text, [userId]);
      await this.tell(manager, owner, { type: 'recovery_code_used', left });
    });
  }

  private isOf(userId: number, sealed: string, presented: Buffer): boolean {
    return timingSafeEqual(Buffer.from(this.keyring.decrypt(sealed, recoveryCodeContext(userId))), presented);
  }

  private async tell(
    manager: EntityManager,
    owner: CodeOwner,
    { type, left }: { type: string; left: number },
  ): Promise<void> {
    await this.notifications.record(manager, {
      organisationId: owner.organisationId,
      group: 'System',
      type,
      entityClass: 'User',
      entityId: owner.id,
      entityName: owner.username,
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
