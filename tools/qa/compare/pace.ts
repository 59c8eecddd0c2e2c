import { setTimeout as pause } from 'node:timers/promises';

const SECOND = 1000;

/** Lets requests begin at a steady rate, of as many a second as one said. */
export class Pace {
  private next = 0;

  constructor(private readonly perSecond: number) {}

  /** Waits for the next turn; whoever is late does not catch up with a burst. */
  async turn(stopping: AbortSignal): Promise<void> {
    const now = performance.now();
    const begin = Math.max(now, this.next);
    this.next = begin + SECOND / this.perSecond;
    // Timers know whole milliseconds: shorter waits add up until they are worth one.
    if (begin - now >= 1) await pause(begin - now, undefined, { signal: stopping }).catch(() => undefined);
  }
}
