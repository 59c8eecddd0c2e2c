import { setTimeout as pause } from 'node:timers/promises';
import type { CommandRun } from '../database';

const HOUR_MS = 3_600_000;

/** Milliseconds since the command $1 last stored a row; null if that is more than an hour ago. */
const LAST_STORED = `
  SELECT (extract(epoch FROM now() - max(at)) * 1000)::float8 AS ago FROM audit_log
  WHERE at > now() - interval '1 hour' AND request_id = $1 AND action = 'insert'`;

/** Spaces rows that cause a mail evenly over the hour. */
export class HourlyPace {
  /** By `performance.now()`. */
  private due = 0;

  constructor(private readonly mostAnHour: number) {}

  /** A run that follows another one of its command keeps its distance to the last row of that one. */
  async follow({ dataSource, ctx }: Pick<CommandRun, 'dataSource' | 'ctx'>): Promise<void> {
    const [{ ago }] = await dataSource.query<[{ ago: number | null }]>(LAST_STORED, [ctx.requestId]);
    if (ago !== null) this.due = performance.now() - ago + HOUR_MS / this.mostAnHour;
  }

  /** Waits for the time of the next row. Returns early if the run is interrupted. */
  async turn(signal: AbortSignal): Promise<void> {
    const wait = this.due - performance.now();
    if (wait > 0) await pause(wait, undefined, { signal }).catch(() => undefined);
  }

  /** A row was stored. Those that were not take no time. */
  used(): void {
    this.due = performance.now() + HOUR_MS / this.mostAnHour;
  }
}
