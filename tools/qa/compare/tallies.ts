import type { Operation } from './description';
import type { Found, Kind } from './differences';
import { Latencies } from './latencies';
import type { SideName } from './logins';

/** How one request of the file ended. */
export type Outcome = 'equal' | 'noise' | 'different';

/** A request to repeat, without anything that could be a secret. */
export interface Example {
  readonly method: string;
  readonly path: string;
  readonly as: string | null;
}

/** A kind of difference, as the report shows it once. */
export interface Difference {
  readonly operation: string;
  readonly kind: Kind;
  readonly at: string;
  readonly old: unknown;
  readonly new: unknown;
  count: number;
  readonly example: Example;
}

/** Why requests were skipped, as people read it. */
export type SkipReason =
  | 'another host'
  | 'not in the description'
  | 'acts, though it is a GET'
  | 'a write'
  | 'a credential in its query'
  | 'a write whose body the file lacks'
  | 'no credential'
  | 'not chosen'
  | 'unreadable';

type Counts = Record<'sent' | 'skipped' | Outcome, number>;

export interface OperationTally extends Counts {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** Whether its paths count from the server, not from the address. */
  readonly countsFromServer: boolean;
  readonly ms: Readonly<Record<SideName, Latencies>>;
  /** Requests that were slow on the new side, by their outcome otherwise. */
  readonly slow: Record<Outcome, number>;
  example?: Example;
}

const noCounts = (): Counts => ({ sent: 0, equal: 0, noise: 0, different: 0, skipped: 0 });

/** Kinds of differences that are kept: a server may answer ever new names. */
const MOST_DIFFERENCES = 5000;
/** Paths outside of the description that have a line of their own. */
const MOST_OPERATIONS = 500;

/** A request that both sides were asked. */
export interface Sent {
  readonly operation: Operation;
  readonly outcome: Outcome;
  readonly differences: readonly Found[];
  readonly example: Example;
  /** Of the old side; null where it gave no answer. */
  readonly status: number | null;
  readonly milliseconds: Readonly<Record<SideName, readonly number[]>>;
  readonly isSlow: boolean;
  /** Whether it came to both sides. */
  readonly isReached: boolean;
}

/** What a stopped run keeps, and another one goes on from. */
export interface SavedTallies {
  readonly operations: readonly (Omit<OperationTally, 'ms'> & {
    readonly ms: Readonly<Record<SideName, [number, number][]>>;
  })[];
  readonly differences: readonly Difference[];
  readonly reasons: readonly (readonly [SkipReason, number])[];
  readonly statuses: readonly (readonly [number | null, number])[];
  readonly total: Counts;
  readonly reached: number;
  readonly droppedDifferences: number;
}

/** What the run has found until now. */
export class Tallies {
  readonly operations = new Map<string, OperationTally>();
  readonly differences = new Map<string, Difference>();
  readonly reasons = new Map<SkipReason, number>();
  /** How often the old side answered with each status. */
  readonly statuses = new Map<number | null, number>();
  readonly total = noCounts();
  /** Requests that came to both sides. */
  reached = 0;
  /** Differences of kinds beyond those that are kept. */
  droppedDifferences = 0;

  static restored(saved: SavedTallies): Tallies {
    const tallies = new Tallies();
    for (const { ms, ...operation } of saved.operations) {
      const latencies = { old: new Latencies(ms.old), new: new Latencies(ms.new) };
      tallies.operations.set(operation.operation, { ...operation, ms: latencies });
    }
    for (const difference of saved.differences) tallies.differences.set(keyOf(difference), difference);
    for (const [reason, count] of saved.reasons) tallies.reasons.set(reason, count);
    for (const [status, count] of saved.statuses) tallies.statuses.set(status, count);
    Object.assign(tallies.total, saved.total);
    tallies.reached = saved.reached;
    tallies.droppedDifferences = saved.droppedDifferences;
    return tallies;
  }

  toJSON(): SavedTallies {
    const saved = JSON.parse(JSON.stringify([...this.operations.values()])) as SavedTallies['operations'];
    return {
      operations: saved,
      differences: [...this.differences.values()],
      reasons: [...this.reasons],
      statuses: [...this.statuses],
      total: this.total,
      reached: this.reached,
      droppedDifferences: this.droppedDifferences,
    };
  }

  /** Names of the operations whose paths count from the server, not from the address. */
  get namesBesideAddress(): ReadonlySet<string> {
    const beside = [...this.operations.values()].filter(({ countsFromServer }) => countsFromServer);
    return new Set(beside.map(({ operation }) => operation));
  }

  skip(reason: SkipReason, operation?: Operation): void {
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
    this.total.skipped += 1;
    if (operation !== undefined) this.of(operation).skipped += 1;
  }

  add(sent: Sent): void {
    const { operation, outcome, differences, example, milliseconds, status } = sent;
    const tally = this.of(operation);
    for (const counts of [tally, this.total]) {
      counts.sent += 1;
      counts[outcome] += 1;
    }
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (sent.isReached) this.reached += 1;
    if (sent.isSlow) tally.slow[outcome] += 1;
    tally.example ??= example;
    for (const side of ['old', 'new'] as const) {
      for (const time of milliseconds[side]) tally.ms[side].add(time);
    }
    const seen = new Set<string>();
    for (const found of differences) {
      const difference = { operation: tally.operation, ...found, count: 1, example };
      const key = keyOf(difference);
      // A list has the same difference in each of its items: it counts once for a request.
      if (!seen.has(key)) this.addDifference(key, difference);
      seen.add(key);
    }
  }

  private addDifference(key: string, { operation, kind, at, old, new: fresh, example }: Difference): void {
    const known = this.differences.get(key);
    if (known !== undefined) known.count += 1;
    else if (this.differences.size >= MOST_DIFFERENCES) this.droppedDifferences += 1;
    else this.differences.set(key, { operation, kind, at, old, new: fresh, count: 1, example });
  }

  private of({ name, method, path, countsFromServer }: Operation): OperationTally {
    const known = this.operations.get(name);
    if (known !== undefined) return known;
    const isFull = this.operations.size >= MOST_OPERATIONS && name !== OTHER.name;
    if (isFull) return this.of(OTHER);
    const ms = { old: new Latencies(), new: new Latencies() };
    const slow = { equal: 0, noise: 0, different: 0 };
    const made = { operation: name, method, path, countsFromServer, ...noCounts(), ms, slow };
    this.operations.set(name, made);
    return made;
  }
}

const OTHER: Operation = {
  name: 'GET (other paths)',
  method: 'GET',
  path: '(other paths)',
  countsFromServer: false,
};

/** A status is one kind of difference with each pair of statuses. */
export const keyOf = ({
  operation,
  kind,
  at,
  old,
  new: fresh,
}: Pick<Difference, 'operation' | 'kind' | 'at'> & Partial<Pick<Difference, 'old' | 'new'>>): string =>
  JSON.stringify([operation, kind, at, ...(kind === 'status' ? [old, fresh] : [])]);
