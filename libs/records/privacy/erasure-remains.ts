import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { OperatorError } from '@app/config/settings';
import type { TableRules } from '@app/lifecycle/table-rules';
import { SecretsKeyring, UnreadableSecret } from '@app/security/secrets/encryption';
import { remainsContext } from './erasure-remains.entity';
import type { KnownWords } from './person-words';

interface SealedWords {
  readonly userId: number;
  readonly sealed: string;
}

const ALL = `SELECT user_id AS "userId", sealed FROM erasure_remains WHERE expires_at > now()`;

class RemainsUnreadable extends OperatorError {
  constructor() {
    super('SECRETS_KEY cannot open what an earlier erasure kept: add the key of that time');
  }
}

/** Stores the words of erased persons, sealed, while something about them remains, for at most 30 days. */
@Injectable()
export class ErasureRemains {
  constructor(private readonly keyring: SecretsKeyring) {}

  /** The words of an erased person, if stored. */
  async of(manager: EntityManager, userId: number): Promise<KnownWords | undefined> {
    const [row] = await manager.query<SealedWords[]>(`${ALL} AND user_id = $1`, [userId]);
    if (row === undefined) return undefined;
    const words = this.open(row);
    if (words === undefined) throw new RemainsUnreadable();
    return words;
  }

  /** The erased persons who had a name or an address (folded). */
  async usersKnownAs(manager: EntityManager, name: string): Promise<number[]> {
    const rows = await manager.query<SealedWords[]>(ALL);
    return rows
      .filter((row) => {
        const { usernames, addresses } = this.open(row) ?? { usernames: [], addresses: [] };
        return [...usernames, ...addresses].includes(name);
      })
      .map(({ userId }) => userId);
  }

  /** A later run keeps the words and the end of the first run. */
  keep(manager: EntityManager, userId: number, words: KnownWords): Promise<unknown> {
    const sealed = this.keyring.encrypt(JSON.stringify(words), remainsContext(userId));
    return manager.query(
      `INSERT INTO erasure_remains (user_id, sealed, expires_at) VALUES ($1, $2, now() + interval '30 days')
       ON CONFLICT (user_id) DO NOTHING`,
      [userId, sealed],
    );
  }

  end(manager: EntityManager, userId: number): Promise<unknown> {
    return manager.query(`DELETE FROM erasure_remains WHERE user_id = $1`, [userId]);
  }

  private open({ userId, sealed }: SealedWords): KnownWords | undefined {
    try {
      return JSON.parse(this.keyring.decrypt(sealed, remainsContext(userId))) as KnownWords;
    } catch (error) {
      if (error instanceof UnreadableSecret) return undefined;
      throw error;
    }
  }
}

export const ERASURE_REMAINS_RULES: TableRules = {
  table: 'erasure_remains',
  withUsers: 'only an erasure writes it, after the deletion of the user',
  withOrganisation: 'it is about a user who was erased',
  outdated: 'expires_at < now()',
  sealed: [
    {
      name: 'erasureRemains',
      kind: 'erasure remainder',
      example: 'remains of erased user',
      sealed: 'sealed',
      id: 'user_id',
      contextOf: remainsContext,
    },
  ],
};
