import type { EntityManager } from 'typeorm';

/** A person, with texts that find the person in rows without an id. */
export interface Person {
  readonly id: number;
  readonly organisationId: number;
  /** Present and former user names, in the form of `fold_case`. */
  readonly usernames: readonly string[];
  /**
   * Present and former user names that are e-mail addresses and were verified, in the form of `fold_case`,
   * except those that others also have. They find rows of others. Unverified names and contacts do not:
   * anybody enters the address of a stranger there.
   */
  readonly addresses: readonly string[];
  /** Pattern of the addresses, for any text (`is_named_in`, `forget_in_text`). */
  readonly everywhere: string;
  /**
   * Pattern of the addresses, other addresses that nobody else has, and names, for texts of the person's
   * organisation. In other texts they may belong to others.
   */
  readonly within: string;
  /**
   * Pattern of all addresses and full names, for other texts with an address of the person: names in
   * them mean the person too.
   */
  readonly named: string;
  /** Invitations to the addresses, including past ones. */
  readonly invitationIds: readonly number[];
}

/** A stored record in an export. */
export type StoredRecord = Readonly<Record<string, unknown>>;

/** For rows that are deleted with their user. */
export const DELETED_WITH_USER = 'the rows are deleted with the user';

/** Texts of a large table, which may contain a person anywhere. Each call handles a range of ids. */
export interface Texts {
  /** The largest id. */
  last(manager: EntityManager): Promise<number>;
  /** Removes the person from the texts of the rows `from` to `to`. Returns the number of changed rows. */
  forget(manager: EntityManager, person: Person, from: number, to: number): Promise<number>;
}

/**
 * How an export and an erasure treat the rows of one table. A test requires it for every
 * table that refers to users.
 */
export interface PersonalData {
  readonly table: string;

  readonly part: string;

  /** Content and purpose, for the reader of an export. */
  readonly about: string;

  /** The person's records, without secrets, digests and data of others. */
  readonly stored: (manager: EntityManager, person: Person) => Promise<StoredRecord[]>;

  /**
   * Removes names and addresses, in the transaction that deletes the user; ids remain. Returns the number of
   * changed rows. Idempotent. Or in words: why there is nothing to erase.
   */
  readonly erase: ((manager: EntityManager, person: Person) => Promise<number>) | string;

  /** The rows are deleted with their user. `erase` is for other users' rows that name the person. */
  readonly isOfUser?: boolean;

  readonly texts?: Texts;
}

type PersonValues = (person: Person) => readonly unknown[];

export const storedBy =
  (statement: string, valuesOf: PersonValues = ({ id }) => [id]): PersonalData['stored'] =>
  (manager, person) =>
    manager.query(statement, [...valuesOf(person)]);

export const erasedBy =
  (statement: string, valuesOf: PersonValues) =>
  (manager: EntityManager, person: Person): Promise<number> =>
    touchedBy(manager, statement, valuesOf(person));

/** The number of rows that a statement changed. */
export async function touchedBy(
  manager: EntityManager,
  statement: string,
  values: readonly unknown[],
): Promise<number> {
  const [, count] = await manager.query<[unknown, number]>(statement, [...values]);
  return count;
}
