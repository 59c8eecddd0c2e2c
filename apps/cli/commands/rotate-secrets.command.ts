import type { EntityManager } from 'typeorm';
import { JOBS, replaceInPayloads } from '@app/platform/jobs/job-tables';
import { recoveryCodeContext } from '@app/auth/recovery-codes';
import { secretContext } from '@app/users/code-checks';
import { mailSecretContext, SEND_MAIL } from '@app/mail/outbox';
import { webhookSecretContext } from '@app/webhooks/webhook-signature';
import { keptResponseContext } from '@app/idempotency/kept-responses';
import { remainsContext } from '@app/privacy/erasure-remains';
import {
  InvalidSecretsKey,
  SecretsKeyring,
  UnreadableSecret,
  secretsKeyOf,
} from '@app/security/secrets/encryption';
import type { Database } from '../database';
import { CommandFailed, EXIT, type Outcome } from '../outcome';
import { interruption, type Terminal } from '../terminal';
import { readSettings } from '../../../config/env';
import { commandHelp, type CommandLine, type CommonOptions } from '../command';

/** An encrypted value as it is stored. */
interface EncryptedValue {
  readonly id: number;
  readonly sealed: string;
  /** The context that the encryption is bound to. */
  readonly context: string;
}

/** A value and its replacement. */
interface Replacement {
  readonly id: number;
  readonly sealed: string;
  readonly reencrypted: string;
}

/** A column that holds values encrypted with `SECRETS_KEY`. */
interface EncryptedColumn {
  readonly name: string;
  /** The next values after an id, by id. */
  after(manager: EntityManager, id: number, most: number): Promise<EncryptedValue[]>;
  /** Replaces values that have not changed meanwhile; returns their number. */
  replace(manager: EntityManager, replacements: readonly Replacement[]): Promise<number>;
}

const columnsOf = (replacements: readonly Replacement[]): unknown[] => [
  replacements.map(({ id }) => id),
  replacements.map(({ sealed }) => sealed),
  replacements.map(({ reencrypted }) => reencrypted),
];

/** A column whose values are bound to the id of their row. */
const columnOf = (
  name: string,
  [table, id, column]: readonly [table: string, id: string, column: string],
  contextOf: (id: number) => string,
): EncryptedColumn => ({
  name,
  async after(manager, last, most) {
    const rows = await manager.query<{ id: number; sealed: string }[]>(
      `SELECT ${id} AS id, ${column} AS sealed FROM ${table} WHERE ${id} > $1 AND ${column} IS NOT NULL
       ORDER BY ${id} LIMIT $2`,
      [last, most],
    );
    return rows.map((row) => ({ ...row, context: contextOf(row.id) }));
  },
  async replace(manager, replacements) {
    const [, count] = await manager.query<[unknown, number]>(
      `UPDATE ${table} SET ${column} = changed.reencrypted
       FROM unnest($1::integer[], $2::text[], $3::text[]) AS changed (id, sealed, reencrypted)
       WHERE ${table}.${id} = changed.id AND ${table}.${column} = changed.sealed`,
      columnsOf(replacements),
    );
    return count;
  },
});

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

/** Mails that wait to be sent. */
const waitingMails: EncryptedColumn = {
  name: 'waitingMails',
  async after(manager, id, most) {
    const rows = await manager.query<{ id: number; sealed: string; mailId: string }[]>(
      `SELECT job.id, payload ->> 'sealed' AS sealed, payload ->> 'mailId' AS "mailId"
       FROM ${JOBS} job
       WHERE job.task = $3 AND job.id > $1 AND payload ->> 'sealed' IS NOT NULL ORDER BY job.id LIMIT $2`,
      [id, most, SEND_MAIL],
    );
    return rows.map(({ mailId, ...row }) => ({ ...row, context: mailSecretContext(mailId) }));
  },
  async replace(manager, replacements) {
    const [, count] = await manager.query<[unknown, number]>(
      replaceInPayloads('sealed'),
      columnsOf(replacements),
    );
    return count;
  },
};

const keptResponses: EncryptedColumn = {
  name: 'keptResponses',
  async after(manager, id, most) {
    const rows = await manager.query<{ id: number; digest: Buffer; sealed: string }[]>(
      `SELECT id, digest, sealed FROM kept_responses WHERE id > $1 ORDER BY id LIMIT $2`,
      [id, most],
    );
    return rows.map(({ digest, ...row }) => ({ ...row, context: keptResponseContext(digest) }));
  },
  async replace(manager, replacements) {
    const [, count] = await manager.query<[unknown, number]>(
      `UPDATE kept_responses SET sealed = changed.reencrypted
       FROM unnest($1::integer[], $2::text[], $3::text[]) AS changed (id, sealed, reencrypted)
       WHERE kept_responses.id = changed.id AND kept_responses.sealed = changed.sealed`,
      columnsOf(replacements),
    );
    return count;
  },
};

/** All encrypted columns. A new caller of `SecretsKeyring.encrypt` adds its column here. */
const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  columnOf('totpSecrets', ['users', 'id', 'totp_secret'], secretContext),
  recoveryCodes,
  waitingMails,
  columnOf('erasureRemains', ['erasure_remains', 'user_id', 'sealed'], remainsContext),
  keptResponses,
  columnOf('webhookSecrets', ['webhooks', 'id', 'sealed_secret'], webhookSecretContext),
  columnOf('formerWebhookSecrets', ['webhooks', 'id', 'former_sealed_secret'], webhookSecretContext),
];

/** Rows that are locked together: a login that needs one of them waits a few milliseconds. */
const BATCH_SIZE = 200;

/** Passes over values that the service changes meanwhile. */
const MAX_PASSES = 3;

interface Counts {
  rotated: number;
  current: number;
  unreadable: number;
}

interface Rotation {
  readonly database: Database;
  readonly secretsKey: string;
  readonly terminal: Terminal;
  readonly isTrial: boolean;
  readonly signal: AbortSignal;
}

/** Throws {@link CommandFailed} for a setting that holds no keys. */
function keyringOf(secretsKey: string): SecretsKeyring {
  try {
    return SecretsKeyring.parse(secretsKey);
  } catch (error) {
    throw error instanceof InvalidSecretsKey
      ? new CommandFailed(`SECRETS_KEY can not be used: ${error.message}`)
      : error;
  }
}

/** Encrypts all values that are stored under an older key of `SECRETS_KEY` with its first key. */
async function rotateSecrets(rotation: Rotation): Promise<Outcome> {
  const rotator = new SecretRotator(rotation, keyringOf(rotation.secretsKey));
  const report: Record<string, Counts> = {};
  for (const place of ENCRYPTED_COLUMNS) report[place.name] = await rotator.rotate(place);
  const isWhole = Object.values(report).every(({ unreadable }) => unreadable === 0);
  return {
    exitCode: isWhole ? EXIT.ok : EXIT.someRowsRefused,
    report: { dryRun: rotation.isTrial, ...report },
    lines: Object.entries(report).map(
      ([place, { rotated, current, unreadable }]) =>
        `${place}: ${rotated} ${rotation.isTrial ? 'to rotate' : 'rotated'}, ${current} under the current key already, ${unreadable} unreadable`,
    ),
  };
}

class SecretRotator {
  constructor(
    private readonly rotation: Rotation,
    private readonly keyring: SecretsKeyring,
  ) {}

  async rotate(place: EncryptedColumn): Promise<Counts> {
    let rotated = 0;
    for (let pass = 1; pass <= MAX_PASSES; pass++) {
      const { missed, ...counts } = await this.pass(place);
      rotated += counts.rotated;
      // A later pass finds the values of an earlier one current.
      if (missed === 0) return { ...counts, rotated, current: counts.current - (rotated - counts.rotated) };
    }
    throw new CommandFailed(`${place.name} change too quickly: run the same command again`);
  }

  private async pass(place: EncryptedColumn): Promise<Counts & { missed: number }> {
    const { database, isTrial, signal } = this.rotation;
    const counts = { rotated: 0, current: 0, unreadable: 0, missed: 0 };
    for (let last = 0; ;) {
      const values = await place.after(database.dataSource.manager, last, BATCH_SIZE);
      const replacements = values.flatMap((value) => this.replacementOf(place, value, counts));
      const done =
        isTrial || replacements.length === 0
          ? replacements.length
          : await database.transactions.run(database.ctx, (manager) => place.replace(manager, replacements));
      counts.rotated += done;
      counts.missed += replacements.length - done;
      const end = values.at(-1);
      if (end === undefined || values.length < BATCH_SIZE) return counts;
      if (signal.aborted) throw new CommandFailed('interrupted: run the same command again to go on');
      last = end.id;
    }
  }

  private replacementOf(
    place: EncryptedColumn,
    { id, sealed, context }: EncryptedValue,
    counts: Counts,
  ): Replacement[] {
    if (this.keyring.isCurrent(sealed)) {
      counts.current += 1;
      return [];
    }
    try {
      return [
        { id, sealed, reencrypted: this.keyring.encrypt(this.keyring.decrypt(sealed, context), context) },
      ];
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error;
      counts.unreadable += 1;
      this.rotation.terminal.say(`${place.name} ${id}: ${error.message}`);
      return [];
    }
  }
}

const HELP = commandHelp(
  'encrypt stored secrets anew with the first key of SECRETS_KEY',
  `Encrypts whatever is stored under an older key of SECRETS_KEY anew with its first: TOTP secrets, recovery codes,
secrets of webhooks, the links in mails that wait to be sent, what erasures keep for a second run, and responses
that are kept for a repeated request. Safe while the service runs; after an interruption run it again.`,
  `To replace the key:
  1. SECRETS_KEY=new,old for every process of the service, and restart them
  2. SECRETS_KEY=new,old npm run cli -- rotate-secrets
  3. a quarter of an hour later, when no confirmation code of before step 1 is valid any more: SECRETS_KEY=new

Examples:
  $ npm run cli -- rotate-secrets --dry-run
  $ npm run cli -- rotate-secrets`,
);

export function declareRotateSecrets(cli: CommandLine): void {
  cli
    .command('rotate-secrets', HELP, 'dry-run')
    .action(async ({ json = false, dryRun: isTrial = false }: CommonOptions) => {
      const { terminal } = cli;
      const signal = interruption();
      const secretsKey = secretsKeyOf(readSettings());
      await cli.run('rotate-secrets', json, (database) =>
        rotateSecrets({ database, secretsKey, terminal, isTrial, signal }),
      );
    });
}
