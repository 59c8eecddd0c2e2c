import type { EntityManager } from 'typeorm';
import type { Deletions } from './deletions';

/** A person, with what finds its data in rows of others. */
export interface Person {
  readonly id: number;
  readonly organisationId: number;
  /** The present user name and the former one, in the form of `fold_case`. */
  readonly usernames: readonly string[];
  /**
   * User names, present and past, that were verified and that nobody else has now, in the form of
   * `fold_case`. What was sent to them was sent to the person. Unverified names and contacts find nothing:
   * anybody enters the address of a stranger there.
   */
  readonly verifiedNames: readonly string[];
  /** Invitations to verified names, present and past ones. */
  readonly invitationIds: readonly number[];
}

/** A stored record in an export. */
export type StoredRecord = Readonly<Record<string, unknown>>;

/** For rows that are deleted with their user. */
export const DELETED_WITH_USER = 'the rows are deleted with the user';

/**
 * Which columns with texts tell of a person. A test requires every column of every table in one of the two
 * lists, whose names are separated by spaces.
 */
export interface DeclaredTexts {
  /**
   * Names, addresses and devices of the person that the row belongs or refers to. An export has them, an
   * erasure clears them or deletes the row.
   */
  readonly personalTexts?: string;
  /** Codes of the service, data of organisations, and texts that people wrote: nobody searches them. */
  readonly otherTexts?: string;
}

/**
 * How an export and an erasure treat the rows of one table. A test requires it for every table that refers to
 * users or has personal texts.
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
   * changed rows. Idempotent. Or in words: why there is nothing to erase. `deletions` deletes the user.
   */
  readonly erase:
    ((manager: EntityManager, person: Person, deletions: Deletions) => Promise<number>) | string;
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
