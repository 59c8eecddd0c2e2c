import { setTimeout as pause } from 'node:timers/promises';

const HOUR_MS = 3_600_000;

/** Spaces rows that cause a mail evenly over the hour. */
export class HourlyPace {
  /** By `performance.now()`. */
  private due = 0;

  constructor(private readonly mostAnHour: number) {}

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
