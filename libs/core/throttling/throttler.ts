import { Injectable } from '@nestjs/common';
import { prepared, PreparedQueries } from '../database/prepared-queries';
import { TooManyRequests } from '../errors/api-error';
import { digestOf } from '../secrets/digest';
import { RefusedSubjects } from './refused-subjects';

/**
 * What is counted together: its kind, and of what. Parts never run into each other, so that no text that a client
 * chooses can name the count of another kind.
 */
export type Bucket = readonly [kind: string, ...of: (string | number)[]];

/** One count that an attempt falls under. */
export interface ThrottleLimit {
  readonly bucket: Bucket;
  readonly most: number;
}

/**
 * No count waits for the disk or a standby, nor keeps those of the same bucket waiting, whose row it holds meanwhile: the
 * two guesses at one name that run at a time would leave the hashing threads idle for so long. With a crash PostgreSQL
 * loses what it has counted in its last half second: a few guesses more for who can bring that about.
 */
const WITHOUT_WAIT = `set_config('synchronous_commit', 'off', true)`;

const RESERVE = prepared(`SELECT ${WITHOUT_WAIT}, reserve_attempt($1::bytea[], $2::integer[], $3) AS wait`);
const WAIT = prepared(`
  SELECT greatest(1, ceil(extract(epoch FROM max(a.resets_at) - now())))::integer AS wait
  FROM attempts a JOIN unnest($1::bytea[], $2::integer[]) AS counted (bucket, most) USING (bucket)
  WHERE a.used >= counted.most AND a.resets_at > now() HAVING count(*) > 0`);
const GIVE_BACK = prepared(`
  WITH without_wait AS (SELECT ${WITHOUT_WAIT})
  UPDATE attempts SET used = used - 1 FROM without_wait WHERE used > 0 AND bucket IN (
    SELECT bucket FROM attempts WHERE bucket = ANY ($1::bytea[]) AND resets_at > now() ORDER BY bucket FOR UPDATE
  )`);
const RESET = prepared(`
  WITH without_wait AS (SELECT ${WITHOUT_WAIT})
  DELETE FROM attempts USING without_wait WHERE bucket IN (
    SELECT bucket FROM attempts WHERE bucket = ANY ($1::bytea[]) ORDER BY bucket FOR UPDATE
  )`);

/**
 * Counts attempts in the database, where every node and all parallel requests share one count; only digests of the
 * buckets are stored. Counts are always locked in the order of their digests: in different orders, two requests
 * could each wait for the other.
 */
@Injectable()
export class Throttler {
  /** What this process has refused of late. */
  readonly refused = new RefusedSubjects();

  constructor(private readonly queries: PreparedQueries) {}

  /**
   * Counts one attempt under all the limits, or under none if one of them is used up: then throws
   * {@link TooManyRequests} with the seconds until that count starts anew. Call it before the check.
   */
  async reserve(limits: readonly ThrottleLimit[], windowSeconds: number): Promise<void> {
    const counts = limits
      .map(({ bucket, most }) => ({ digest: digestOfBucket(bucket), most }))
      .sort((one, other) => one.digest.compare(other.digest));
    const row = await this.queries.row<{ wait: number }>(RESERVE, [
      counts.map(({ digest }) => digest),
      counts.map(({ most }) => most),
      windowSeconds,
    ]);
    if (row !== undefined && row.wait > 0) throw this.refusalOf(limits, row.wait);
  }

  /** Throws {@link TooManyRequests} where a limit is used up already; counts nothing and locks nothing. */
  async refuseLocked(limits: readonly ThrottleLimit[]): Promise<void> {
    const row = await this.queries.quickRow<{ wait: number }>(WAIT, [
      limits.map(({ bucket }) => digestOfBucket(bucket)),
      limits.map(({ most }) => most),
    ]);
    if (row !== undefined) throw this.refusalOf(limits, row.wait);
  }

  private refusalOf([narrowest]: readonly ThrottleLimit[], wait: number): TooManyRequests {
    if (narrowest !== undefined) this.refused.note(narrowest.bucket, wait);
    return new TooManyRequests(wait);
  }

  /** Takes a counted attempt back that was not made after all. */
  async giveBack(...buckets: Bucket[]): Promise<void> {
    await this.queries.rows(GIVE_BACK, [buckets.map(digestOfBucket)]);
  }

  /** Starts counts anew after an attempt that was right. */
  async reset(...buckets: Bucket[]): Promise<void> {
    await this.queries.rows(RESET, [buckets.map(digestOfBucket)]);
  }
}

const digestOfBucket = (bucket: Bucket): Buffer => digestOf(JSON.stringify(bucket));
