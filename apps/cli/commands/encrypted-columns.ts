import type { EntityManager } from 'typeorm';
import { recoveryCodeContext } from '@app/auth/recovery-codes';
import { secretContext } from '@app/users/code-checks';
import { mailSecretContext } from '@app/core/mail/mail-payload';
import { SEND_MAIL } from '@app/core/mail/outbox';

/** An encrypted value as it is stored. */
export interface EncryptedValue {
  readonly id: number;
  readonly sealed: string;
  /** What its encryption is bound to. */
  readonly context: string;
}

/** A value and the one that shall take its place. */
export interface Replacement {
  readonly id: number;
  readonly sealed: string;
  readonly reencrypted: string;
}

/** A column that holds values encrypted with `SECRETS_KEY`. */
export interface EncryptedColumn {
  readonly name: string;
  /** The next values after an id, in the order of their ids. */
  after(manager: EntityManager, id: number, most: number): Promise<EncryptedValue[]>;
  /** Replaces values that are still what they were; tells how many. */
  replace(manager: EntityManager, replacements: readonly Replacement[]): Promise<number>;
}

const columnsOf = (replacements: readonly Replacement[]): unknown[] => [
  replacements.map(({ id }) => id),
  replacements.map(({ sealed }) => sealed),
  replacements.map(({ reencrypted }) => reencrypted),
];

const totpSecrets: EncryptedColumn = {
  name: 'totpSecrets',
  async after(manager, id, most) {
    const rows = await manager.query<{ id: number; sealed: string }[]>(
      `SELECT id, totp_secret AS sealed FROM users WHERE id > $1 AND totp_secret IS NOT NULL ORDER BY id LIMIT $2`,
      [id, most],
    );
    return rows.map((row) => ({ ...row, context: secretContext(row.id) }));
  },
  async replace(manager, replacements) {
    const [, count] = await manager.query<[unknown, number]>(
      `UPDATE users SET totp_secret = changed.reencrypted
       FROM unnest($1::integer[], $2::text[], $3::text[]) AS changed (id, sealed, reencrypted)
       WHERE users.id = changed.id AND totp_secret = changed.sealed`,
      columnsOf(replacements),
    );
    return count;
  },
};

const recoveryCodes: EncryptedColumn = {
  name: 'recoveryCodes',
  async after(manager, id, most) {
    const rows = await manager.query<{ id: number; userId: number; sealed: string }[]>(
      `SELECT id, user_id AS "userId", sealed_digest AS sealed FROM recovery_codes WHERE id > $1 ORDER BY id LIMIT $2`,
      [id, most],
    );
    return rows.map(({ userId, ...row }) => ({ ...row, context: recoveryCodeContext(userId) }));
  },
  async replace(manager, replacements) {
    const [, count] = await manager.query<[unknown, number]>(
      `UPDATE recovery_codes SET sealed_digest = changed.reencrypted
       FROM unnest($1::integer[], $2::text[], $3::text[]) AS changed (id, sealed, reencrypted)
       WHERE recovery_codes.id = changed.id AND sealed_digest = changed.sealed`,
      columnsOf(replacements),
    );
    return count;
  },
};

/**
 * Mails that wait to be sent. graphile-worker offers no way to change a job's payload, so its table is written to:
 * a test holds the revision of its schema (job-schema.ts).
 */
const waitingMails: EncryptedColumn = {
  name: 'waitingMails',
  async after(manager, id, most) {
    const rows = await manager.query<{ id: number; sealed: string; mailId: string }[]>(
      `SELECT job.id, payload ->> 'sealed' AS sealed, payload ->> 'mailId' AS "mailId"
       FROM graphile_worker._private_jobs job JOIN graphile_worker._private_tasks task ON task.id = job.task_id
       WHERE task.identifier = $3 AND job.id > $1 AND payload ->> 'sealed' IS NOT NULL ORDER BY job.id LIMIT $2`,
      [id, most, SEND_MAIL],
    );
    return rows.map(({ mailId, ...row }) => ({ ...row, context: mailSecretContext(mailId) }));
  },
  async replace(manager, replacements) {
    const [, count] = await manager.query<[unknown, number]>(
      `UPDATE graphile_worker._private_jobs job
       SET payload = jsonb_set(payload::jsonb, '{sealed}', to_jsonb(changed.reencrypted))::json
       FROM unnest($1::bigint[], $2::text[], $3::text[]) AS changed (id, sealed, reencrypted)
       WHERE job.id = changed.id AND payload ->> 'sealed' = changed.sealed`,
      columnsOf(replacements),
    );
    return count;
  },
};

/** Whatever is stored encrypted: who calls `SecretsKeyring.encrypt` for another column adds it here. */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [totpSecrets, recoveryCodes, waitingMails];
