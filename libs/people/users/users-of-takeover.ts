import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { changesByHands } from '@app/lifecycle/takeover-acts';
import { isRemaining, type Takeover, type TakeoverRecord } from '@app/lifecycle/takeovers';
import { type OfUser, UserEvents } from '@app/lifecycle/user-events';
import { attempted } from '@app/platform/database/savepoints';
import { type FormerName, ProvedNames } from './proved-names';

/** Users who are disabled, and others who get their names back, at a time. Each has events of its own. */
const BATCH = 50;

/** Locks users in the order of their ids, as deletions do. */
const LOCK = `SELECT id FROM users WHERE id = ANY ($1::integer[]) ORDER BY id FOR NO KEY UPDATE`;

const RENAMED = `
  SELECT id AS "userId", organisation_id AS "organisationId", username, told_name AS "provedName"
  FROM users WHERE id = ANY ($1::integer[]) AND deleted_at IS NULL ORDER BY id`;

const TO_DISABLE = `
  SELECT id AS "userId", organisation_id AS "organisationId", username
  FROM users WHERE id = ANY ($1::integer[]) AND enabled AND deleted_at IS NULL ORDER BY id`;

interface RenamedUser extends OfUser {
  /** Null if the present name is proved. */
  readonly provedName: string | null;
  /** The name before the takeover. */
  readonly formerName: string;
}

const formerNameOf = ({ provedName, formerName: name }: RenamedUser): FormerName => ({
  name,
  provedName: provedName ?? '',
});

/**
 * Disables the users whom a stolen account brought in, and gives others their names
 * back (rule recovery 32).
 */
@Injectable()
export class UsersOfTakeover {
  constructor(
    private readonly events: UserEvents,
    private readonly names: ProvedNames,
  ) {}

  /** Names before rows, as whoever gives or proves a name. */
  async lock(manager: EntityManager, takeover: Takeover): Promise<void> {
    const renamed = (await renamedUsers(manager, takeover)).slice(0, BATCH);
    const names = renamed.map(formerNameOf).map(({ name, provedName }) => provedName || name);
    for (const name of [...new Set(names.map((one) => one.toLowerCase()))].sort()) {
      await this.names.lock(manager, name);
    }
    await manager.query(LOCK, [[...takeover.hands.users, ...renamed.map(({ userId }) => userId)]]);
  }

  async end(manager: EntityManager, takeover: Takeover): Promise<TakeoverRecord[]> {
    return [...(await this.giveNamesBack(manager, takeover)), ...(await this.disable(manager, takeover))];
  }

  /** Names that have been proved since stay: their mailbox may be that of the user. */
  private async giveNamesBack(manager: EntityManager, takeover: Takeover): Promise<TakeoverRecord[]> {
    return inBatch(await renamedUsers(manager, takeover), async (user) => {
      const { organisationId, provedName, username } = user;
      const isBack =
        provedName !== null && (await this.names.giveFormerBack(manager, user, formerNameOf(user)));
      return isBack
        ? { outcome: 'restoredNames', organisationId, name: provedName || user.formerName }
        : { outcome: 'keptNames', organisationId, name: username };
    });
  }

  /** The last admin stays: nobody else could give the operator its service back. */
  private async disable(
    manager: EntityManager,
    { userId: owner, hands }: Takeover,
  ): Promise<TakeoverRecord[]> {
    const others = hands.users.filter((id) => id !== owner);
    const users = await manager.query<OfUser[]>(TO_DISABLE, [others]);
    return inBatch(users, async ({ userId, organisationId, username: name }) => {
      const isDone = await attempted(manager, async () => {
        await manager.query('UPDATE users SET enabled = false WHERE id = $1', [userId]);
        await this.events.announce(manager, {
          kind: 'disabled',
          userId,
          organisationId,
          isChange: true,
          actorId: owner,
        });
      });
      return { outcome: isDone ? 'disabledUsers' : 'keptUsers', organisationId, name };
    });
  }
}

/** Those that cannot be done are in no batch: they would be in each, and the others in none. */
async function inBatch<One extends OfUser>(
  users: readonly One[],
  end: (user: One) => Promise<TakeoverRecord>,
): Promise<TakeoverRecord[]> {
  const records: TakeoverRecord[] = [];
  for (let next = 0, done = 0; next < users.length && done < BATCH; next++) {
    const record = await end(users[next] as One);
    if (!isRemaining(record.outcome)) done += 1;
    records.push(record);
  }
  return records;
}

/** Other users who have their name from the hands. */
async function renamedUsers(
  manager: EntityManager,
  { userId: owner, hands }: Takeover,
): Promise<RenamedUser[]> {
  const changes = await changesByHands(manager, hands, 'users', ['username']);
  const formerNames = new Map<number, string>();
  for (const { id, was } of changes.values()) {
    if (id !== owner && !hands.users.includes(id) && typeof was.username === 'string')
      formerNames.set(id, was.username);
  }
  const users = await manager.query<Omit<RenamedUser, 'formerName'>[]>(RENAMED, [[...formerNames.keys()]]);
  return users
    .map((user) => ({ ...user, formerName: formerNames.get(user.userId) ?? '' }))
    .filter(({ username, formerName }) => username.toLowerCase() !== formerName.toLowerCase());
}
