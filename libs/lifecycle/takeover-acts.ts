import type { EntityManager } from 'typeorm';

/** A user who lost the account, since when, and until when: undefined for now. */
interface Theft {
  readonly userId: number;
  readonly since: Date;
  readonly until?: Date;
}

/**
 * Who acted by a stolen account: its user, users whom one of them made or who registered by the
 * invitation of one of them, and service keys that one of them made. The functions of the database
 * read it from the audit log.
 */
export interface Hands extends Theft {
  /** Ids; the stolen account is the first. */
  readonly users: readonly number[];
  readonly serviceKeys: readonly number[];
}

const HANDS = `SELECT persons AS users, keys AS "serviceKeys" FROM hands_of($1, $2, $3)`;

/** Everybody who acted by the account, with those who came by them. */
export async function handsOf(manager: EntityManager, theft: Theft): Promise<Hands> {
  const { userId, since, until } = theft;
  const [hands] = await manager.query<[Pick<Hands, 'users' | 'serviceKeys'>]>(HANDS, [
    userId,
    since,
    until ?? null,
  ]);
  return { ...theft, ...hands };
}

const handValues = ({ userId, since, until, users, serviceKeys }: Hands): unknown[] => [
  since,
  until ?? null,
  userId,
  users,
  serviceKeys,
];

/** A record that was changed by a stolen account. It may be gone. */
export interface ChangeByHands<Column extends string> {
  readonly id: number;
  readonly isMade: boolean;
  /** The former values of columns that nobody else has set since. Null in a record that they made. */
  readonly was: Readonly<Partial<Record<Column, unknown>>>;
}

const CHANGES = `
  SELECT id, is_made AS "isMade", was FROM changes_by_hands($6, $7::text[], $1, $2, $3, $4::integer[], $5::integer[])`;

/** The changes of a table's records, by their ids. */
export async function changesByHands<Column extends string>(
  manager: EntityManager,
  hands: Hands,
  table: string,
  columns: readonly Column[],
): Promise<Map<number, ChangeByHands<Column>>> {
  const rows = await manager.query<ChangeByHands<Column>[]>(CHANGES, [...handValues(hands), table, columns]);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Locks what the hands changed in a table. Somebody else may have taken a record over while this waited for
 * its lock, so the changes are those that hold after it.
 */
export async function lockedChangesByHands<Column extends string, Row>(
  manager: EntityManager,
  hands: Hands,
  { table, columns }: { readonly table: string; readonly columns: readonly Column[] },
  lock: (ids: readonly number[]) => Promise<Row[]>,
): Promise<{ changes: Map<number, ChangeByHands<Column>>; rows: Row[] }> {
  const changes = await changesByHands(manager, hands, table, columns);
  if (changes.size === 0) return { changes, rows: [] };
  const rows = await lock([...changes.keys()]);
  return { changes: await changesByHands(manager, hands, table, columns), rows };
}

const INVITATIONS = `SELECT id FROM invitations_of_hands($1, $2, $3, $4::integer[], $5::integer[]) AS id`;

/** Ids of invitations that one of the hands made, changed or sent again, and nobody else since. */
export async function invitationsOfHands(manager: EntityManager, hands: Hands): Promise<number[]> {
  const rows = await manager.query<{ id: number }[]>(INVITATIONS, handValues(hands));
  return rows.map(({ id }) => id);
}

const REMOVALS = `SELECT id, was FROM removals_by_hands($6, $1, $2, $3, $4::integer[], $5::integer[])`;

/** A record that is gone, as it was. */
export interface RemovalByHands {
  readonly id: number;
  readonly was: Readonly<Record<string, unknown>>;
}

/** What the hands deleted and had not made themselves. */
export const removalsByHands = (
  manager: EntityManager,
  hands: Hands,
  table: string,
): Promise<RemovalByHands[]> => manager.query(REMOVALS, [...handValues(hands), table]);
