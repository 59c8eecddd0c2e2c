import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { TooBusy } from '@app/platform/concurrency/concurrency-limiter';
import type * as jobs from './hashing-worker.cjs';

/** Seconds until this or another process can answer. */
const RETRY_AFTER = 2;

type HashingJobs = typeof jobs;

/**
 * Threads that hash passwords: one for each core, since more would only slow each hash down. The first
 * hashes start them, and they keep running. Further work waits in order of arrival; the limiter of
 * PasswordHasher limits its amount.
 */
export class HashingThreads {
  private readonly pool: Piscina;
  private closed = false;

  constructor(threads = availableParallelism()) {
    this.pool = new Piscina({
      filename: join(__dirname, 'hashing-worker.cjs'),
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: Infinity,
      env: {},
      execArgv: [],
    });
  }

  async run<Name extends keyof HashingJobs>(
    name: Name,
    input: Parameters<HashingJobs[Name]>[0],
  ): Promise<ReturnType<HashingJobs[Name]>> {
    try {
      if (!this.closed) return (await this.pool.run(input, { name })) as ReturnType<HashingJobs[Name]>;
    } catch (error) {
      if (!this.closed) throw error;
    }
    throw new TooBusy(RETRY_AFTER, 'The hashing threads are stopped');
  }

  /**
   * Stops the threads. Work in progress fails; most of its clients have disconnected, because a
   * stop waits for others first.
   */
  async close(): Promise<void> {
    this.closed = true;
    await this.pool.destroy();
  }
}
