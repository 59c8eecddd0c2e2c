import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Erasure } from './erasure.entity';

/** The state of a listed user in this database. */
export type ErasureState = 'unknown' | 'erased' | 'newer' | 'here';

/** A second run keeps the day of the first run. */
const RECORD = `
  INSERT INTO erasures (user_id, erased_on) VALUES ($1, (now() AT TIME ZONE 'UTC')::date)
  ON CONFLICT (user_id) DO UPDATE SET erased_on = erasures.erased_on RETURNING erased_on::text AS "erasedOn"`;

const LISTED = `jsonb_to_recordset($1::jsonb) AS listed ("userId" integer, "erasedOn" date)`;

const ADOPT = `
  INSERT INTO erasures (user_id, erased_on) SELECT "userId", "erasedOn" FROM ${LISTED}
  ON CONFLICT (user_id) DO UPDATE SET erased_on = least(erasures.erased_on, excluded.erased_on)`;

/** A user who is newer than the erasure is another person, who got the id before the sequence was moved. */
const STATES = `
  SELECT "userId", CASE
      WHEN u.id IS NULL THEN 'unknown'
      WHEN (u.created_at AT TIME ZONE 'UTC')::date > "erasedOn" THEN 'newer'
      WHEN u.deleted_at IS NOT NULL AND u.username = 'erased-' || u.id AND u.first_name = ''
        AND NOT EXISTS (SELECT 1 FROM erasure_remains WHERE user_id = u.id) THEN 'erased'
      ELSE 'here' END AS state
  FROM ${LISTED} LEFT JOIN users u ON u.id = "userId" ORDER BY "userId"`;

/** The list of erased users: ids and days, without names. */
@Injectable()
export class Erasures {
  /** Returns the day of the first erasure. */
  async record(manager: EntityManager, userId: number): Promise<string> {
    const [row] = await manager.query<[{ erasedOn: string }]>(RECORD, [userId]);
    return row.erasedOn;
  }

  all(manager: EntityManager): Promise<Erasure[]> {
    return manager.query(
      `SELECT user_id AS "userId", erased_on::text AS "erasedOn" FROM erasures ORDER BY user_id`,
    );
  }

  /** Adds the list of a later database. */
  adopt(manager: EntityManager, listed: readonly Erasure[]): Promise<unknown> {
    return manager.query(ADOPT, [JSON.stringify(listed)]);
  }

  statesOf(
    manager: EntityManager,
    listed: readonly Erasure[],
  ): Promise<{ userId: number; state: ErasureState }[]> {
    return manager.query(STATES, [JSON.stringify(listed)]);
  }
}
