import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** An erasure of the list, as the file of `cli person erasures` has it. */
export interface ListedErasure {
  readonly userId: number;
  /** The time of the first run, in UTC (ISO 8601). */
  readonly erasedAt: string;
}

/** The state of a listed user in this database. */
export type ErasureState = 'unknown' | 'erased' | 'newer' | 'here';

/** A second run keeps the time of the first run. */
const RECORD = `
  INSERT INTO erasures (user_id, erased_at) VALUES ($1, clock_timestamp()) ON CONFLICT (user_id) DO NOTHING`;

const ALL = `
  SELECT user_id AS "userId", date_trunc('milliseconds', erased_at) AS "erasedAt" FROM erasures ORDER BY user_id`;

const LISTED = `jsonb_to_recordset($1::jsonb) AS listed ("userId" integer, "erasedAt" timestamptz)`;

const ADOPT = `
  INSERT INTO erasures (user_id, erased_at) SELECT "userId", "erasedAt" FROM ${LISTED}
  ON CONFLICT (user_id) DO UPDATE SET erased_at = least(erasures.erased_at, excluded.erased_at)`;

/**
 * A user who is newer than the erasure is another person, who got the id before the sequence was moved. An
 * erasure clears the account last, so an empty one has nothing left elsewhere.
 */
const STATES = `
  SELECT "userId", CASE
      WHEN u.id IS NULL THEN 'unknown'
      WHEN u.created_at > "erasedAt" THEN 'newer'
      WHEN u.deleted_at IS NOT NULL AND u.username = 'erased-' || u.id AND u.first_name = '' THEN 'erased'
      ELSE 'here' END AS state
  FROM ${LISTED} LEFT JOIN users u ON u.id = "userId" ORDER BY "userId"`;

/** The list of erased users: ids and times, without names. */
@Injectable()
export class Erasures {
  record(manager: EntityManager, userId: number): Promise<unknown> {
    return manager.query(RECORD, [userId]);
  }

  async all(manager: EntityManager): Promise<ListedErasure[]> {
    const rows = await manager.query<{ userId: number; erasedAt: Date }[]>(ALL);
    return rows.map(({ userId, erasedAt }) => ({ userId, erasedAt: erasedAt.toISOString() }));
  }

  /** Adds the list of a later database. */
  adopt(manager: EntityManager, listed: readonly ListedErasure[]): Promise<unknown> {
    return manager.query(ADOPT, [JSON.stringify(listed)]);
  }

  statesOf(
    manager: EntityManager,
    listed: readonly ListedErasure[],
  ): Promise<{ userId: number; state: ErasureState }[]> {
    return manager.query(STATES, [JSON.stringify(listed)]);
  }
}
