import type { WorkerEvents } from 'graphile-worker';

/** Tries of one worker to take a job that fail one after the other, a poll apart, until it counts as stuck. */
const MAX_FAILURES = 2;

/**
 * Rejects when runners can take no jobs any more. graphile-worker learns the numbers of its tasks once and remembers a
 * failure as well: a runner whose connection broke just then fails for good, and only another one does its jobs.
 */
export function untilStuck(events: WorkerEvents): Promise<never> {
  const failures = new Map<string, number>();
  const forget = ({ worker }: { readonly worker: { readonly workerId: string } }): void =>
    void failures.delete(worker.workerId);
  events.on('worker:getJob:empty', forget);
  events.on('job:start', forget);
  return new Promise((_, reject) => {
    events.on('worker:getJob:error', ({ worker: { workerId }, error }) => {
      const count = (failures.get(workerId) ?? 0) + 1;
      failures.set(workerId, count);
      if (count >= MAX_FAILURES) reject(new Error('The runner can take no jobs', { cause: error }));
    });
  });
}
