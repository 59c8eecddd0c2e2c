import { Injectable } from '@nestjs/common';
import { prepared, Sql } from '../database/sql';
import { TooManyAttempts } from '../errors/api-error';
import { digestOf } from '../secrets/digest';

/** One count that an attempt falls under. */
export interface AttemptLimit {
  /** What is counted together; any text, only its digest is stored. */
  readonly bucket: string;
  readonly most: number;
}

const RESERVE = prepared('SELECT reserve_attempt($1::bytea[], $2::integer[], $3) AS wait');
const FORGIVE = prepared(`
  DELETE FROM attempts WHERE bucket IN (
    SELECT bucket FROM attempts WHERE bucket = ANY ($1::bytea[]) ORDER BY bucket FOR UPDATE
  )`);

/**
 * Counts attempts in the database, where every node and all parallel requests share one count. Counts are always
 * locked in the order of their digests: in different orders, two requests could each wait for the other.
 */
@Injectable()
export class Attempts {
  constructor(private readonly sql: Sql) {}

  /**
   * Counts one attempt under all the limits, or under none if one of them is used up: then throws
   * {@link TooManyAttempts} with the seconds until that count starts anew. Call it before the check.
   */
  async reserve(limits: readonly AttemptLimit[], windowSeconds: number): Promise<void> {
    const counts = limits
      .map(({ bucket, most }) => ({ digest: digestOf(bucket), most }))
      .sort((one, other) => one.digest.compare(other.digest));
    const row = await this.sql.row<{ wait: number }>(RESERVE, [
      counts.map(({ digest }) => digest),
      counts.map(({ most }) => most),
      windowSeconds,
    ]);
    if (row !== undefined && row.wait > 0) throw new TooManyAttempts(row.wait);
  }

  /** Starts counts anew after an attempt that was right. */
  async forgive(...buckets: string[]): Promise<void> {
    await this.sql.rows(FORGIVE, [buckets.map(digestOf)]);
  }
}
