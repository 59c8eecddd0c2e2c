import { InvalidSecretsKey, SecretsKeyring, UnreadableSecret } from '@app/core/secrets/encryption';
import type { Database } from '../database';
import { CommandFailed, EXIT, type Outcome } from '../outcome';
import type { Terminal } from '../terminal';
import {
  ENCRYPTED_COLUMNS,
  type Replacement,
  type EncryptedColumn,
  type EncryptedValue,
} from './encrypted-columns';

/** Rows that are locked together: a login that needs one of them waits a few milliseconds. */
const BATCH_SIZE = 200;

/** How often values that the service changed meanwhile are looked at again. */
const MAX_PASSES = 3;

interface Counts {
  rotated: number;
  current: number;
  unreadable: number;
}

export interface Rotation {
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
    throw error instanceof InvalidSecretsKey ? new CommandFailed(error.message) : error;
  }
}

/** Encrypts with the first key of `SECRETS_KEY` whatever is stored under another. */
export async function rotateSecrets(rotation: Rotation): Promise<Outcome> {
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
      // What an earlier pass rotated is found current by the next.
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
          : await database.transactions.run((manager) => place.replace(manager, replacements));
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
