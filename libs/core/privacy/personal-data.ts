import type { EntityManager } from 'typeorm';
import type { Ordered } from '../discovery/ordered-providers';

/** Whose data is meant, and by what it is found where no id names the person. */
export interface Person {
  readonly id: number;
  readonly organisationId: number;
  /** User names of now and before, in lower case. */
  readonly usernames: readonly string[];
  /** E-mail addresses and phone numbers of now and before, in lower case; none that somebody else has too. */
  readonly addresses: readonly string[];
  /** Finds the addresses in any text (`forget_in_text`). */
  readonly everywhere: string;
  /** Finds the names too, which other people may share: for texts of the person's own organisation. */
  readonly within: string;
}

/** One thing that is stored, as the person reads it. */
export type StoredRecord = Readonly<Record<string, unknown>>;

/** Why nothing is erased in a table. */
export interface NothingToErase {
  readonly nothing: string;
}

/** For rows that {@link DeletionHandler}s delete with their user. */
export const DELETED_WITH_USER: NothingToErase = { nothing: 'the rows are deleted with the user' };

export const nothingToErase = (nothing: string): NothingToErase => ({ nothing });

/** Texts of a large table, in which a person may be named anywhere: gone through a range of ids at a time. */
export interface Texts {
  /** The largest id. */
  last(manager: EntityManager): Promise<number>;
  /** Takes the person out of the texts of rows from one id to another; gives how many there were. */
  forget(manager: EntityManager, person: Person, from: number, to: number): Promise<number>;
  /** How many rows that would be. */
  count(manager: EntityManager, person: Person, from: number, to: number): Promise<number>;
}

/**
 * Says what one table tells about a person, and what of it goes when that is asked for. A provider of any module that
 * extends this class is found by itself; it belongs to the domain that owns the table. A test demands one for every
 * table that refers to users.
 */
export abstract class PersonalData implements Ordered {
  abstract readonly table: string;

  /** Order of export and erasure; locks are taken in it, as in deletions. */
  abstract readonly position: number;

  /** Its name in an export. */
  abstract readonly part: string;

  /** What it is and what for, for who reads the export. */
  abstract readonly about: string;

  /** What is stored: no secrets, no digests, and nothing that is about others. */
  abstract stored(manager: EntityManager, person: Person): Promise<StoredRecord[]>;

  /**
   * Takes names and addresses out once the user is deleted, in that transaction; ids stay. Gives how many rows it
   * touched; to run twice does no harm.
   */
  abstract readonly erase: ((manager: EntityManager, person: Person) => Promise<number>) | NothingToErase;

  readonly texts?: Texts;
}

/** Rows that a statement touched. */
export async function touchedBy(
  manager: EntityManager,
  statement: string,
  values: readonly unknown[],
): Promise<number> {
  const [, count] = await manager.query<[unknown, number]>(statement, [...values]);
  return count;
}
