import { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CronItem, Runner, RunnerOptions, TaskList, WorkerEvents } from 'graphile-worker';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { actingAs } from '../actor/actor-context';
import { JOB_LIMITS } from '../database/database-limits';
import { DatabasePool } from '../database/database-pool';
import { directDatabase } from '../database/direct-database';
import { poolOf } from '../database/pool';
import { APP_LOGGER } from '../logging/logger';
import { Settings } from '../settings/settings';
import { Tracer } from '../tracing/tracer';
import { HeldJobs } from './held-jobs';
import { JobHandler } from './job-handler';
import { inProcessingSpan } from './job-trace';
import { CAN_WAIT } from './queue-job';
import { RunnerLease } from './runner-lease';
import { untilStuck } from './until-stuck';

/** Jobs of any kind that one process does at once: mails wait for the network, so a few share a core well. */
const PLACES = 2;
/**
 * One place more takes urgent jobs alone, so that a mail server that is slow to take notifications keeps no recovery
 * mail waiting. A place in each process and not a queue of graphile-worker: that would hold for all processes
 * together, and more of them would then not send more.
 */
const URGENT_PLACES = 1;
/** Two connections listen, one tells that this process lives, the others fetch and finish jobs. */
const CONNECTIONS = 6;
/** Milliseconds; new jobs announce themselves, this is for those whose next try is due. */
const POLL_INTERVAL = 5000;
/** Milliseconds before another start where the database could not be reached. */
const RESTART_DELAY = 5000;
/** Levels of graphile-worker that an operator should see. */
const SERIOUS: ReadonlySet<string> = new Set(['error', 'warning']);

/** Runs the jobs of graphile-worker in this process, beside the service or in a process of its own. */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private readonly held = new HeldJobs();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly settings: Settings,
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(APP_LOGGER) private readonly logger: Logger,
    @Inject(Tracer) private readonly tracer: Tracer | null,
  ) {}

  /** Not waited for: the service is ready before its first mail can go. */
  onApplicationBootstrap(): void {
    if (this.settings.worker) this.running = this.keepRunning();
  }

  /** While the database is still there. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Takes no new jobs and finishes those in hand; may be called again. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Does every job that is due and returns. */
  async runDue(): Promise<void> {
    const { runOnce } = await import('graphile-worker');
    const pgPool = this.connections();
    try {
      await runOnce({ ...(await this.options(pgPool)), concurrency: 1 });
    } finally {
      await pgPool.end();
    }
  }

  private async keepRunning(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const pgPool = this.connections();
      try {
        await this.runUntilStopped(pgPool);
      } catch (error) {
        this.logger.error({ err: error }, 'jobs stopped running, will start again');
        await this.pause();
      } finally {
        await pgPool.end().catch(() => undefined);
      }
    }
  }

  private async runUntilStopped(pgPool: DatabasePool): Promise<void> {
    const { run, parseCronItems } = await import('graphile-worker');
    // A runner before this one may have broken off.
    await this.held.giveBack(pgPool);
    // For the runners, which tell here what they do.
    const events: WorkerEvents = new EventEmitter();
    const lease = new RunnerLease(events, this.logger);
    const stuck = untilStuck(events);
    stuck.catch(() => undefined);
    const options = { ...(await this.options(pgPool)), events };
    let keeping: Promise<void> | undefined;
    const runners: Runner[] = [];
    const stop = async (): Promise<void> => {
      await Promise.all(runners.map((runner) => runner.stop().catch(() => undefined)));
    };
    const stopLater = (): void => void stop();
    this.stopping.signal.addEventListener('abort', stopLater, { once: true });
    try {
      // One after the other: a first that runs is stopped, too, where the second can not start.
      runners.push(
        await run({ ...options, concurrency: PLACES, parsedCronItems: parseCronItems(this.timetable()) }),
      );
      runners.push(
        await run({
          ...options,
          concurrency: URGENT_PLACES,
          forbiddenFlags: [CAN_WAIT],
          parsedCronItems: [],
        }),
      );
      keeping = lease.keep(pgPool);
      if (this.stopping.signal.aborted) stopLater();
      await Promise.race([stuck, ...runners.map(({ promise }) => promise)]);
    } finally {
      this.stopping.signal.removeEventListener('abort', stopLater);
      // Where one ended, by order or by itself, the other finishes what it has in hand.
      await stop();
      await Promise.allSettled(runners.map(({ promise }) => promise));
      lease.end();
      await keeping;
    }
    if (!this.stopping.signal.aborted) throw new Error('The runner ended by itself');
  }

  private async options(pgPool: DatabasePool): Promise<RunnerOptions> {
    const { Logger: JobLogger } = await import('graphile-worker');
    return {
      pgPool,
      schema: 'graphile_worker',
      pollInterval: POLL_INTERVAL,
      noHandleSignals: true,
      // Without batches graphile-worker does not wait until a finished job is written down: a stop would forget it,
      // and its mail would go out again.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      taskList: this.tasks(),
      // The second argument carries whole jobs: it stays out of the log.
      logger: new JobLogger(() => (level, message) => {
        if (SERIOUS.has(level)) this.logger.warn({ source: 'jobs' }, message);
        else this.logger.debug({ source: 'jobs' }, message);
      }),
    };
  }

  private handlers(): JobHandler[] {
    return this.discovery.getProviders().flatMap(({ instance }): JobHandler[] => {
      return instance instanceof JobHandler ? [instance] : [];
    });
  }

  /** What the worker does by itself, each at its times. */
  private timetable(): CronItem[] {
    return this.handlers().flatMap(({ task, times }) =>
      times === undefined ? [] : [{ task, match: times, options: { jobKey: task, maxAttempts: 1 } }],
    );
  }

  private tasks(): TaskList {
    const tasks: TaskList = {};
    for (const instance of this.handlers()) {
      if (tasks[instance.task] !== undefined) throw new Error(`Two handlers for ${instance.task}`);
      tasks[instance.task] = async (payload, { job }) => {
        // The service reads 64-bit integers as numbers, and graphile-worker with it.
        const id = String(job.id);
        this.held.take(id, job.locked_by);
        const running = {
          id,
          key: job.key ?? undefined,
          attempt: job.attempts,
          queuedAt: job.created_at,
          isLastTry: job.attempts >= job.max_attempts,
        };
        const work = (): Promise<void> =>
          actingAs(
            () => ({ credentialKind: 'job', name: instance.task, requestId: id }),
            () => instance.run(payload, running),
          );
        await (this.tracer === null
          ? work()
          : inProcessingSpan(this.tracer, instance.task, payload, running, work));
        this.held.done(id);
      };
    }
    return tasks;
  }

  /** Connections of its own: jobs and requests never wait for each other's. Past a pooler, which keeps no LISTEN. */
  private connections(): DatabasePool {
    const { connectionString = '' } = poolOf(this.dataSource).options;
    const { url, pooler } = directDatabase(this.settings, connectionString);
    return new DatabasePool({
      connectionString: url,
      pooler,
      max: CONNECTIONS,
      limits: JOB_LIMITS,
      applicationName: 'account-api-jobs',
    });
  }

  private async pause(): Promise<void> {
    await setTimeout(RESTART_DELAY, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
