import { setTimeout as pause } from 'node:timers/promises';
import { isAnswer, type Result } from './answers';

const SECOND = 1000;

/** Longest wait that a server may ask for, in seconds; the kit waits as long. */
const LONGEST_WAIT = 61;

const TOO_MANY = 429;
const UNAVAILABLE = 503;

/** Whether a server limits how often it is asked. */
export const isTooMany = (result: Result): boolean => isAnswer(result) && result.status === TOO_MANY;

/** Whether a server has too much to do for now. */
export const isBusy = (result: Result): boolean =>
  isTooMany(result) || (isAnswer(result) && result.status === UNAVAILABLE);

/** Waits as long as an answer asks for; whether the server may then be asked again. */
export async function mayAskAgain(result: Result, stopping: AbortSignal): Promise<boolean> {
  if (!isAnswer(result) || stopping.aborted) return false;
  const seconds = Number(result.headers['retry-after']);
  if (!(seconds >= 0 && seconds <= LONGEST_WAIT)) return false;
  await pause(seconds * SECOND, undefined, { signal: stopping }).catch(() => undefined);
  return !stopping.aborted;
}

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
