import { GIVEN_UP } from './client';
import type { Exchange, Exchanged } from './exchange';
import { BrokenFile, type Entry, type Unreadable } from './files/recorded';
import type { Logins, SideName } from './logins';
import type { Pace } from './pace';
import type { Planned, Planner } from './plan';
import type { Tallies } from './tallies';

/** How many requests one side may fail in a row. */
const MOST_FAILURES = 20;

export interface RunnerOptions {
  readonly concurrency: number;
  /** Requests to send; the rest of the file is not read. */
  readonly limit: number;
  /** Where a stopped run goes on. */
  readonly from?: Progress;
}

/** How far a run is. */
export interface Progress {
  readonly through: number;
  readonly without: readonly number[];
}

/** Why a run ended before the end of its file. */
export interface Ending {
  /** One side failed too often. */
  readonly failed?: string;
  /** The file cannot be read to its end. */
  readonly broken?: string;
}

const isGivenUp = ({ failures }: Exchanged): boolean => Object.values(failures).includes(GIVEN_UP);

/** Sends the requests of a file, and counts what comes of them. */
export class Runner {
  private through: number;
  private readonly without: Set<number>;
  private readonly inFlight = new Map<number, Promise<void>>();
  private readonly inARow: Record<SideName, number> = { old: 0, new: 0 };
  /** Requests of a row of failures: a run that goes on sends them again. */
  private failing: (readonly [position: number, count: () => void])[] = [];
  private failed: string | undefined;
  /** A fault of the tool itself. */
  private fault: Error | undefined;
  private begun: number;

  constructor(
    private readonly planner: Planner,
    private readonly exchange: Exchange,
    private readonly logins: Logins,
    private readonly tallies: Tallies,
    private readonly pace: Pace,
    private readonly options: RunnerOptions,
    private readonly stopping: AbortSignal,
    private readonly tell: (text: string) => void,
  ) {
    const { through, without } = options.from ?? { through: 0, without: [] };
    this.through = through;
    this.without = new Set(without);
    this.begun = tallies.total.sent;
  }

  /** Where a run goes on that is stopped now. */
  get progress(): Progress {
    const failing = this.failing.map(([position]) => position);
    return { through: this.through, without: [...this.without, ...this.inFlight.keys(), ...failing] };
  }

  async run(entries: AsyncIterable<Entry>): Promise<Ending> {
    let broken: string | undefined;
    try {
      for await (const entry of entries) {
        if (this.isAtEnd) break;
        await this.take(entry);
      }
    } catch (error) {
      if (!(error instanceof BrokenFile)) throw error;
      broken = error.message;
    } finally {
      await this.allAnswered();
    }
    if (this.fault !== undefined) throw this.fault;
    return { failed: this.failed, broken };
  }

  /** Counts the requests of a last row of failures, for a report; `progress` was asked before. */
  countFailing(): void {
    for (const [, count] of this.failing.splice(0)) count();
  }

  private get isAtEnd(): boolean {
    const isStopped = this.stopping.aborted || this.failed !== undefined || this.fault !== undefined;
    return isStopped || this.begun >= this.options.limit;
  }

  private async take(entry: Entry): Promise<void> {
    const { position } = entry;
    if (position <= this.through && !this.without.has(position)) return;
    const planned = 'unreadable' in entry ? undefined : this.planner.plan(entry);
    if (planned === undefined) this.skipUnreadable(entry as Unreadable);
    else if ('skipped' in planned) this.tallies.skip(planned.skipped, planned.operation);
    else if (!(await this.begin(planned, position))) return;
    this.through = Math.max(this.through, position);
    this.without.delete(position);
  }

  private skipUnreadable({ position, unreadable }: Unreadable): void {
    if (!this.tallies.reasons.has('unreadable'))
      this.tell(`Entry ${position} of the file is skipped: ${unreadable}. Further ones are counted.`);
    this.tallies.skip('unreadable');
  }

  /** Begins to send a request; false where the run is stopped before. */
  private async begin(planned: Planned, position: number): Promise<boolean> {
    await this.pace.turn(this.stopping);
    if (planned.isWrite) await this.allAnswered();
    while (this.inFlight.size >= this.options.concurrency) await Promise.race(this.inFlight.values());
    if (this.isAtEnd) return false;
    this.begun += 1;
    // Nobody waits for a read: its fault must not end the process before the logins are ended.
    const sending = this.send(planned, position).catch((error: unknown) => {
      this.inFlight.delete(position);
      this.fault ??= error as Error;
    });
    this.inFlight.set(position, sending);
    // What follows a write may read what it wrote.
    if (planned.isWrite) await sending;
    return true;
  }

  private async send(planned: Planned, position: number): Promise<void> {
    const { as, operation } = planned;
    const pair = as === undefined ? undefined : await this.logins.pair(as);
    if (as !== undefined && pair === undefined) {
      this.begun -= 1;
      this.tallies.skip('no credential', operation);
      this.inFlight.delete(position);
      return;
    }
    const exchanged = await this.exchange.send(planned, pair);
    this.inFlight.delete(position);
    if (this.stopping.aborted && isGivenUp(exchanged)) this.without.add(position);
    else this.count(exchanged, position);
  }

  private count({ sent, failures }: Exchanged, position: number): void {
    for (const side of ['old', 'new'] as const) {
      this.inARow[side] = failures[side] === undefined ? 0 : this.inARow[side] + 1;
    }
    const count = () => this.tallies.add(sent);
    if (failures.old === undefined && failures.new === undefined) {
      this.countFailing();
      count();
      return;
    }
    this.failing.push([position, count]);
    if (this.failing.length > MOST_FAILURES * 2) this.failing.shift()?.[1]();
    const failing = (['old', 'new'] as const).find((side) => this.inARow[side] >= MOST_FAILURES);
    if (failing !== undefined && this.failed === undefined)
      this.failed = `the ${failing} side failed ${MOST_FAILURES} times in a row: ${failures[failing]}`;
  }

  private async allAnswered(): Promise<void> {
    while (this.inFlight.size > 0) await Promise.all(this.inFlight.values());
  }
}
