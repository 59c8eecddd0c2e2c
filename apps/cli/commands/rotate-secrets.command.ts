import { secretsKeyOf, SecretsKeyring, UnreadableSecret } from '@app/security/secrets/encryption';
import { ENCRYPTED_COLUMNS, type StoredEncryptedColumn } from '@app/service/deployment/encrypted-columns';
import { commandHelp, type CommandLine, type TrialOptions } from '../command';
import type { CommandRun } from '../database';
import { CommandFailed, EXIT, type Outcome, WrongUse } from '../outcome';
import { interruption } from '../terminal';

/** Rows that are locked together. A login that needs one of them waits for some milliseconds. */
const BATCH_SIZE = 200;

/** Maximum passes over values that the service changes meanwhile. */
const MAX_PASSES = 3;

/** An encrypted value as it is stored. */
interface EncryptedValue {
  readonly id: number;
  readonly encrypted: string;
  /** The encryption context of the value. */
  readonly bound: never;
}

/** The values after the id $1. */
const valuesAfter = ({ table, id, encrypted, bound = id }: StoredEncryptedColumn): string =>
  `SELECT ${id} AS id, ${encrypted} AS encrypted, ${bound} AS bound FROM ${table}
   WHERE ${id} > $1 AND ${encrypted} IS NOT NULL ORDER BY ${id} LIMIT ${BATCH_SIZE}`;

/** Leaves values alone that have changed meanwhile. */
const replaceIn = ({ table, id, encrypted }: StoredEncryptedColumn): string =>
  `UPDATE ${table} SET ${encrypted} = changed.reencrypted
   FROM unnest($1::bigint[], $2::text[], $3::text[]) AS changed (id, encrypted, reencrypted)
   WHERE ${table}.${id} = changed.id AND ${table}.${encrypted} = changed.encrypted`;

interface Counts {
  rotated: number;
  current: number;
  unreadable: number;
}

/** Encrypts all values that use an older key of `SECRETS_KEY` with its first key. */
async function rotateSecrets(run: CommandRun, isTrial: boolean): Promise<Outcome> {
  const rotator = new SecretRotator(run, SecretsKeyring.parse(secretsKeyOf(run.settings)), isTrial);
  const report: Record<string, Counts> = {};
  for (const place of ENCRYPTED_COLUMNS) report[place.name] = await rotator.rotate(place);
  const isWhole = Object.values(report).every(({ unreadable }) => unreadable === 0);
  return {
    exitCode: isWhole ? EXIT.ok : EXIT.someRowsRefused,
    report: { dryRun: isTrial, ...report },
    lines: Object.entries(report).map(
      ([place, { rotated, current, unreadable }]) =>
        `${place}: ${rotated} ${isTrial ? 'to rotate' : 'rotated'}, ${current} under the current key already, ${unreadable} unreadable`,
    ),
  };
}

class SecretRotator {
  private readonly signal = interruption();

  constructor(
    private readonly run: CommandRun,
    private readonly keyring: SecretsKeyring,
    private readonly isTrial: boolean,
  ) {}

  async rotate(place: StoredEncryptedColumn): Promise<Counts> {
    let rotated = 0;
    for (let pass = 1; pass <= MAX_PASSES; pass++) {
      const { missed, ...counts } = await this.pass(place);
      rotated += counts.rotated;
      // A later pass counts the values of an earlier one as current.
      if (missed === 0) return { ...counts, rotated, current: counts.current - (rotated - counts.rotated) };
    }
    throw new CommandFailed(`${place.name} change too quickly: run the same command again`);
  }

  private async pass(place: StoredEncryptedColumn): Promise<Counts & { missed: number }> {
    const { dataSource, transactions, ctx } = this.run;
    const counts = { rotated: 0, current: 0, unreadable: 0, missed: 0 };
    for (let last = 0; ;) {
      const values = await dataSource.query<EncryptedValue[]>(valuesAfter(place), [last]);
      const replaced: EncryptedValue[] = [];
      const reencrypted: string[] = [];
      for (const value of values) {
        const text = this.reencrypted(place, value, counts);
        if (text === undefined) continue;
        replaced.push(value);
        reencrypted.push(text);
      }
      let done = replaced.length;
      if (!this.isTrial && done > 0) {
        const given = [replaced.map(({ id }) => id), replaced.map(({ encrypted }) => encrypted), reencrypted];
        const statement = replaceIn(place);
        [, done] = await transactions.run(ctx, (manager) =>
          manager.query<[unknown, number]>(statement, given),
        );
      }
      counts.rotated += done;
      counts.missed += replaced.length - done;
      const end = values.at(-1);
      if (end === undefined || values.length < BATCH_SIZE) return counts;
      if (this.signal.aborted) throw new CommandFailed('interrupted: run the same command again to continue');
      last = end.id;
    }
  }

  /** Undefined for a value that stays as it is. */
  private reencrypted(
    place: StoredEncryptedColumn,
    value: EncryptedValue,
    counts: Counts,
  ): string | undefined {
    const { id, encrypted, bound } = value;
    if (this.keyring.isCurrent(encrypted)) {
      counts.current += 1;
      return undefined;
    }
    const context = place.contextOf(bound);
    try {
      return this.keyring.encrypt(this.keyring.decrypt(encrypted, context), context);
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error;
      counts.unreadable += 1;
      this.run.terminal.say(`${place.name} ${id}: ${error.message}`);
      return undefined;
    }
  }
}

interface RotateOptions extends TrialOptions {
  readonly everyProcessHasTheNewKey?: boolean;
}

/** A process without the new key reads nothing that the command writes: its logins with a code would fail. */
const NOT_READY =
  'first start every process of the service with SECRETS_KEY=new,old: one that lacks the new ' +
  'key cannot read what this command writes, and logins with a second factor fail there. Then ' +
  'say --every-process-has-the-new-key';

const HELP = commandHelp(
  `Encrypts all values that use an older key of SECRETS_KEY again with its first key: TOTP secrets, recovery codes,
secrets of webhooks, links in waiting mails, and responses that are stored for repeated requests. Safe while the service runs.
After an interruption run it again.`,
  `To replace the key:
  1. SECRETS_KEY=new,old for every process of the service, and restart them
  2. SECRETS_KEY=new,old npm run cli -- rotate-secrets --every-process-has-the-new-key
  3. 15 minutes later, when all confirmation codes from before step 1 have expired: SECRETS_KEY=new

Examples:
  $ npm run cli -- rotate-secrets --dry-run
  $ npm run cli -- rotate-secrets --every-process-has-the-new-key`,
);

export function declare(cli: CommandLine): void {
  cli
    .command('rotate-secrets', HELP, 'dry-run')
    .option('--every-process-has-the-new-key', 'step 1 is done: every process runs with SECRETS_KEY=new,old')
    .action(({ dryRun: isTrial = false, everyProcessHasTheNewKey: isReady = false }: RotateOptions) => {
      if (!isTrial && !isReady) throw new WrongUse(NOT_READY);
      return cli.run((run) => rotateSecrets(run, isTrial));
    });
}
