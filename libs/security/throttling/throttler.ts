import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { byKey, DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { TooManyRequests } from '@app/platform/errors/api-error';
import { digestOf } from '../secrets/digest';

/**
 * Key of a count: its kind and its subject. They are separate parts, so that text of a client
 * cannot become another kind.
 */
export type Bucket = readonly [kind: string, ...of: (string | number)[]];

/** An attempt that was counted, for whoever takes it back. */
export interface CountedAttempt {
  readonly buckets: readonly Bucket[];
  /** When the window of each bucket ends, an array in the text of the database. */
  readonly ends: string;
}

/** A limit on the count of a bucket. */
export interface ThrottleLimit {
  readonly bucket: Bucket;
  readonly most: number;
}

/** What each limit of an act has used; or the limit that was reached, with the seconds until it ends. */
export type CountOfAct =
  { readonly used: readonly number[] } | { readonly full: number; readonly wait: number };

/**
 * A count does not wait for the disk or for a standby, because the wait would hold the lock on the bucket's
 * row: only two attempts per name run at once, so the hashing threads would be idle. A crash loses the counts
 * of the last half second, which allows a few more attempts. In the transaction of a request the setting has
 * no effect, so a count uses its own transaction.
 */
const WITHOUT_WAIT = `set_config('synchronous_commit', 'off', true)`;

const RESERVE = prepared(
  `SELECT ${WITHOUT_WAIT}, wait, ends::text AS ends FROM reserve_attempt($1::bytea[], $2::integer[], $3)`,
);
const RESERVE_WITHIN = 'SELECT wait FROM reserve_attempt($1::bytea[], $2::integer[], $3)';
/** One row for each act $1, in their order. */
const RESERVE_EACH = `/* attempts.countEach */
  SELECT c.wait, c.used, c.full_at AS "fullAt"
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS act (counts, place)
  CROSS JOIN LATERAL reserve_attempt(
    ARRAY(SELECT decode(bucket, 'hex') FROM jsonb_array_elements_text(act.counts -> 'buckets') WITH ORDINALITY b (bucket, n)
      ORDER BY n),
    ARRAY(SELECT most::integer FROM jsonb_array_elements_text(act.counts -> 'limits') WITH ORDINALITY m (most, n)
      ORDER BY n), $2) c
  ORDER BY act.place`;
/** Counts until the end of the day, UTC. */
const END_OF_DAY = `date_trunc('day', now(), 'UTC') + interval '1 day'`;
const RESERVE_TODAY = `
  SELECT wait FROM reserve_attempt($1::bytea[], $2::integer[],
    ceil(extract(epoch FROM ${END_OF_DAY} - now()))::integer)`;
const WAIT = byKey(`
  SELECT greatest(1, ceil(extract(epoch FROM max(a.resets_at) - now())))::integer AS wait
  FROM attempts a JOIN unnest($1::bytea[], $2::integer[]) AS counted (bucket, most) USING (bucket)
  WHERE a.used >= counted.most AND a.resets_at > now() HAVING count(*) > 0`);
/**
 * The end of a window says which one it is. The time of an attempt does not: of two that begin a window at
 * once, the one that came first may count in the window of the other, which ends later than its own would.
 */
const GIVE_BACK = prepared(`
  WITH without_wait AS (SELECT ${WITHOUT_WAIT})
  UPDATE attempts SET used = used - 1 FROM without_wait WHERE used > 0 AND bucket IN (
    SELECT bucket FROM attempts JOIN unnest($1::bytea[], $2::timestamptz[]) AS counted (bucket, ends) USING (bucket)
    WHERE bucket = ANY ($1::bytea[]) AND resets_at = ends ORDER BY bucket FOR UPDATE OF attempts
  )`);
const RESET = prepared(`
  WITH without_wait AS (SELECT ${WITHOUT_WAIT})
  DELETE FROM attempts USING without_wait WHERE bucket IN (
    SELECT bucket FROM attempts WHERE bucket = ANY ($1::bytea[]) ORDER BY bucket FOR UPDATE
  )`);

const COUNT_TODAY = `
  INSERT INTO attempts AS a VALUES ($1, 1, ${END_OF_DAY})
  ON CONFLICT (bucket) DO UPDATE SET
    used = CASE WHEN a.resets_at <= now() THEN 1 ELSE a.used + 1 END,
    resets_at = CASE WHEN a.resets_at <= now() THEN excluded.resets_at ELSE a.resets_at END
  RETURNING used`;

/**
 * Counts an event of this day (UTC) and returns how many there are. Of parallel events
 * each gets another number.
 */
export async function countToday(manager: EntityManager, bucket: Bucket): Promise<number> {
  const [row] = await manager.query<{ used: number }[]>(COUNT_TODAY, [digestOfBucket(bucket)]);
  return (row as { used: number }).used;
}

/** Resets counts in the transaction of a change. */
export async function resetCounts(manager: EntityManager, buckets: readonly Bucket[]): Promise<void> {
  await manager.query(RESET.text, [buckets.map(digestOfBucket)]);
}

/**
 * Counts attempts in the database, so that all nodes and parallel requests share one count. It stores digests
 * of the buckets and locks them in a fixed order, which avoids deadlocks.
 */
@Injectable()
export class Throttler {
  /** Recent refusals of this process. */
  readonly refused = new RefusedSubjects();

  constructor(private readonly queries: DatabaseReads) {}

  /**
   * Counts one attempt under all limits. If a limit is reached, it counts nothing and throws {@link
   * TooManyRequests} with the seconds until the count ends. Call it before the check.
   * @param words name the limit, where it is no secret
   */
  async reserve(
    limits: readonly ThrottleLimit[],
    windowSeconds: number,
    words?: string,
  ): Promise<CountedAttempt> {
    const row = await this.queries.row<{ wait: number; ends: string }>(RESERVE, [
      ...countsOf(limits),
      windowSeconds,
    ]);
    const { wait, ends } = row as { wait: number; ends: string };
    if (wait > 0) throw this.refusalOf(limits, wait, words);
    return { buckets: inOrder(limits).map(({ bucket }) => bucket), ends };
  }

  /**
   * Counts one act of this day, UTC, under all limits, in the transaction of the act, so that what fails
   * does not count. Returns 0, or the seconds until the count ends if a limit is reached.
   */
  async reserveToday(manager: EntityManager, limits: readonly ThrottleLimit[]): Promise<number> {
    const [row] = await manager.query<{ wait: number }[]>(RESERVE_TODAY, countsOf(limits));
    return row?.wait ?? 0;
  }

  /**
   * As {@link reserve}, in the transaction of what is counted, so that what fails does not count. Others who
   * count there wait for its end.
   */
  async reserveWithin(
    manager: EntityManager,
    limits: readonly ThrottleLimit[],
    windowSeconds: number,
  ): Promise<void> {
    const wait = await this.countWithin(manager, limits, windowSeconds);
    if (wait > 0) throw this.refusalOf(limits, wait);
  }

  /** The same, but returns 0, or the seconds until the count ends. */
  async countWithin(
    manager: EntityManager,
    limits: readonly ThrottleLimit[],
    windowSeconds: number,
  ): Promise<number> {
    const values = [...countsOf(limits), windowSeconds];
    const [row] = await manager.query<{ wait: number }[]>(RESERVE_WITHIN, values);
    return row?.wait ?? 0;
  }

  /**
   * Counts each of several acts under its limits, in their order, in the transaction of the acts. An act past
   * a limit counts under none.
   */
  async countEach(
    manager: EntityManager,
    acts: readonly (readonly ThrottleLimit[])[],
    windowSeconds: number,
  ): Promise<CountOfAct[]> {
    if (acts.length === 0) return [];
    const ordered = acts.map(inOrder);
    const counts = ordered.map((limits) => ({
      buckets: limits.map(({ digest }) => digest.toString('hex')),
      limits: limits.map(({ most }) => most),
    }));
    const rows = await manager.query<{ wait: number; used: number[]; fullAt: number | null }[]>(
      RESERVE_EACH,
      [JSON.stringify(counts), windowSeconds],
    );
    return rows.map(({ wait, used, fullAt }, act) => {
      const places = (ordered[act] as readonly OrderedLimit[]).map(({ place }) => place);
      return fullAt === null
        ? { used: places.map((_, place) => used[places.indexOf(place)] as number) }
        : { full: places[fullAt - 1] as number, wait };
    });
  }

  /** Throws {@link TooManyRequests} if a limit is reached. It counts nothing and takes no lock. */
  async refuseLocked(limits: readonly ThrottleLimit[]): Promise<void> {
    const row = await this.queries.row<{ wait: number }>(WAIT, [
      limits.map(({ bucket }) => digestOfBucket(bucket)),
      limits.map(({ most }) => most),
    ]);
    if (row !== undefined) throw this.refusalOf(limits, row.wait);
  }

  private refusalOf([narrowest]: readonly ThrottleLimit[], wait: number, words?: string): TooManyRequests {
    if (narrowest !== undefined) this.refused.note(narrowest.bucket, wait);
    return new TooManyRequests(wait, words);
  }

  /** Takes back the count of an attempt, and no other: a window that began after it keeps its count. */
  async giveBack({ buckets, ends }: CountedAttempt): Promise<void> {
    await this.queries.row(GIVE_BACK, [buckets.map(digestOfBucket), ends]);
    for (const bucket of buckets) this.refused.forget(bucket);
  }

  /** Resets the counts after a successful attempt. */
  async reset(...buckets: Bucket[]): Promise<void> {
    await this.queries.row(RESET, [buckets.map(digestOfBucket)]);
  }
}

const digestOfBucket = (bucket: Bucket): Buffer => digestOf(JSON.stringify(bucket));

interface OrderedLimit extends ThrottleLimit {
  readonly digest: Buffer;
  /** Among the limits as they were given. */
  readonly place: number;
}

/** In the order in which all count them. */
const inOrder = (limits: readonly ThrottleLimit[]): OrderedLimit[] =>
  limits
    .map(({ bucket, most }, place) => ({ bucket, digest: digestOfBucket(bucket), most, place }))
    .sort((one, other) => one.digest.compare(other.digest));

/** Digests of the buckets and their limits. */
function countsOf(limits: readonly ThrottleLimit[]): [Buffer[], number[]] {
  const counts = inOrder(limits);
  return [counts.map(({ digest }) => digest), counts.map(({ most }) => most)];
}

/** Maximum subjects in memory: enough to notice any attack. */
const MAX_REMEMBERED = 10_000;

const keyOf = (bucket: Bucket): string => JSON.stringify([bucket[0], bucket.at(-1)]);

/** The names, networks and users that this process has refused and that must still wait. */
class RefusedSubjects {
  /** When each wait began and ends, by kind and subject, in the order of refusals. */
  private readonly ends = new Map<
    string,
    { readonly kind: string; readonly since: number; readonly end: number }
  >();

  /** The last part of a bucket is its subject. For passwords this is the user name, from any network. */
  note(bucket: Bucket, waitSeconds: number): void {
    const [kind] = bucket;
    const key = keyOf(bucket);
    this.ends.delete(key);
    this.ends.set(key, { kind, since: Date.now(), end: Date.now() + waitSeconds * 1000 });
    const [oldest] = this.ends.keys();
    if (this.ends.size > MAX_REMEMBERED && oldest !== undefined) this.ends.delete(oldest);
  }

  /** The count has room again. */
  forget(bucket: Bucket): void {
    this.ends.delete(keyOf(bucket));
  }

  /**
   * Seconds that the subject of a bucket must still wait; undefined if this process has not refused it in the
   * last `within` milliseconds.
   */
  waitOf(bucket: Bucket, within = Infinity): number | undefined {
    const { since = 0, end = 0 } = this.ends.get(keyOf(bucket)) ?? {};
    const now = Date.now();
    return end > now && now - since <= within ? Math.ceil((end - now) / 1000) : undefined;
  }

  /** Number of subjects that must wait, by kind. */
  counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const [key, { kind, end }] of this.ends) {
      if (end <= Date.now()) this.ends.delete(key);
      else counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    return counts;
  }
}
