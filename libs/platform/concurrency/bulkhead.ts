/** A number, a share of the connections of the pool for requests, or a number for each core. */
export type Amount = number | { readonly ofPool: number } | { readonly perCore: number };

/** What one client may use of a bulkhead; without a bound there is none. */
export interface Bounds {
  /** Most work at once. */
  readonly maxRunning?: Amount;
  /** Most work that runs or waits. */
  readonly maxPending?: number;
}

/** The bounds of each kind of client. */
export interface Quotas {
  readonly group?: Bounds;
  readonly member?: Bounds;
  /** All strangers together. */
  readonly strangers?: Bounds;
  /** The strangers of one network. */
  readonly network?: Bounds;
}

/**
 * How work waits. Waiting work holds no connection and no body, so its time limits a queue, not its memory.
 */
interface Queue {
  /** Most work that waits for a permit; further work is refused at once. */
  readonly maxWaiting: number;
  /** Most milliseconds that it waits. */
  readonly maxWaitMs: number;
}

/**
 * One kind of work of which a process runs few at once, because it holds a connection, a thread or much
 * memory. It stands beside the work; `npm run docs` prints all bulkheads, and the metrics have them.
 */
export interface Bulkhead {
  /** Its label in the metrics: lower case with underlines. */
  readonly name: string;
  /** What work takes a permit, for people. */
  readonly work: string;
  readonly permits: Amount;
  readonly queue: Queue;
  /** In place of the usual ones ({@link FairLimiter}). */
  readonly quotas?: Quotas;
}

/**
 * The queue of work that holds a connection or tens of MB for long: large reads, csv, files, changes of the
 * tree.
 */
export const HEAVY: Queue = { maxWaiting: 100, maxWaitMs: 5000 };
