import { setTimeout as pause } from 'node:timers/promises';

/** Far more than anything waited for takes, also where others need the machine. */
const MAX_SECONDS = 180;

/**
 * Waits for something that another connection or process brings about, and fails
 * loudly when it does not come.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  maxSeconds = MAX_SECONDS,
): Promise<void> {
  for (const end = Date.now() + maxSeconds * 1000; !(await condition()); await pause(20)) {
    if (Date.now() > end) throw new Error(`It did not happen within ${maxSeconds} seconds`);
  }
}
