import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CronItem, Runner, RunnerOptions, TaskList, WorkerEvents } from 'graphile-worker';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { OperatorError } from '@app/config/operator-errors';
import { Settings } from '@app/config/settings';
import { jobContext } from '../context/work-context';
import { ANSWER_TIME, JOB_LIMITS } from '../database/database-limits';
import { DatabasePool, poolOf } from '../database/database-pool';
import { DatabaseWatch } from '../database/database-watch';
import { isOutage } from '../errors/sqlstate';
import { APP_LOGGER, levelOf } from '../observability/logger';
import { BackgroundWork } from './background-work';
import { CONCURRENT_MAILS, JobHandler } from './job-handler';
import { priorityOf } from './job-priorities';
import { inProcessingSpan } from './job-trace';
import { CAN_WAIT } from './queue-job';
import { JobLeases, rejectWhenStalled } from './worker-watch';

/** Concurrent jobs of each pool in a process. Mails wait for the network: many of them share a core well. */
const CONCURRENCY: Readonly<Record<JobHandler['pool'], number>> = { mails: CONCURRENT_MAILS, others: 2 };
/**
 * One more worker takes only urgent jobs, so that a recovery mail does not wait behind notifications to a
 * slow mail server. A queue of graphile-worker would not do: it spans all processes, so more processes
 * would send no more mails.
 */
const URGENT_CONCURRENCY = 1;
/** Three connections listen, the others take and complete jobs. One more renews the leases. */
const CONNECTIONS = 6;
/** A warning of graphile-worker. Mails wait for the mail server, so their jobs share fewer on purpose. */
const FEWER_CONNECTIONS = /maxPoolSize .* smaller than concurrency/;
/** Milliseconds between two polls for due retries; new jobs arrive by NOTIFY. */
const POLL_INTERVAL = 5000;
/** Milliseconds before the next start after a failure. */
const RESTART_DELAY = 2000;
/** Milliseconds in which graphile-worker records the outcome of the last jobs, or never does. */
const RECORD_TIME = ANSWER_TIME;
/** Milliseconds in which unused connections close. */
const CLOSE_TIME = 1000;
/**
 * Maximum immediate retries of a job that an outage of the database interrupts. After that it
 * waits as after any failure.
 */
const MOST_INTERRUPTIONS = 5;
/** Log levels of graphile-worker for operators. */
const SERIOUS: ReadonlySet<string> = new Set(['error', 'warning']);

class TaskHandledTwice extends OperatorError {
  constructor(task: string, handlers: readonly JobHandler[]) {
    super(`${handlers.map(({ constructor }) => constructor.name).join(' and ')} both handle jobs of ${task}`);
  }
}

/** Runs the jobs of graphile-worker in this process, which either serves requests too or only runs jobs. */
@Injectable()
export class JobRunner
  extends BackgroundWork
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown
{
  /** By their task. */
  readonly handlers = new Map<string, JobHandler>();
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private readonly leases: JobLeases;

  constructor(
    private readonly settings: Settings,
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(APP_LOGGER) private readonly logger: Logger,
    private readonly watch: DatabaseWatch,
    private readonly discovery: DiscoveryService,
  ) {
    super();
    this.leases = new JobLeases(logger);
  }

  /** Finds the handlers of all modules. */
  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders() as readonly { readonly instance: unknown }[]) {
      if (!(instance instanceof JobHandler)) continue;
      const other = this.handlers.get(instance.task);
      if (other !== undefined) throw new TaskHandledTwice(instance.task, [other, instance]);
      this.handlers.set(instance.task, instance);
    }
  }

  /** Does not wait, so that the service is ready before its first mail is sent. */
  onApplicationBootstrap(): void {
    if (this.settings.worker) this.running = this.keepRunning();
  }

  /** Stops before the database connections close. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Runs every due job, and then returns. The caller keeps the connections for the next call. */
  async runDue(pgPool: DatabasePool): Promise<void> {
    const { runOnce } = await import('graphile-worker');
    await runOnce({ ...(await this.options(pgPool)), concurrency: 1 });
  }

  private async keepRunning(): Promise<void> {
    const ended = new AbortController();
    const leasePool = this.connections(1);
    const leasing = this.leases.keep(leasePool, ended.signal);
    while (!this.stopping.signal.aborted) {
      const pgPool = this.connections();
      try {
        await this.runUntilStopped(pgPool);
      } catch (error) {
        if (this.stopping.signal.aborted) break;
        const wasAway = await this.endOfOutage();
        if (!wasAway) {
          this.logger.error({ err: error }, 'jobs stopped running, will start again');
          await this.pause();
        }
      } finally {
        await this.closed(pgPool);
      }
    }
    ended.abort();
    await leasing;
    await leasePool.end().catch(() => undefined);
  }

  /** Waits until the database answers, or the process stops. Returns whether the database was away. */
  private endOfOutage(): Promise<boolean> {
    const { signal } = this.stopping;
    if (signal.aborted) return Promise.resolve(false);
    return Promise.race([this.watch.answers(), once(signal, 'abort').then(() => false)]);
  }

  /**
   * If an outage of the database interrupts a job, runs it again once the database is back,
   * without counting a failure.
   */
  private async throughOutages(work: () => Promise<void>): Promise<void> {
    for (let interruptions = 0; ; interruptions++) {
      try {
        return await work();
      } catch (error) {
        if (!isOutage(error) || interruptions === MOST_INTERRUPTIONS || this.stopping.signal.aborted)
          throw error;
        await this.endOfOutage();
      }
    }
  }

  private async runUntilStopped(pgPool: DatabasePool): Promise<void> {
    const { run, parseCronItems } = await import('graphile-worker');
    const events: WorkerEvents = new EventEmitter();
    this.leases.follow(events);
    const stalled = rejectWhenStalled(events);
    stalled.catch(() => undefined);
    const options = { ...(await this.options(pgPool)), events };
    const runners: Runner[] = [];
    const stop = async (): Promise<void> => {
      await Promise.all(runners.map((runner) => runner.stop().catch(() => undefined)));
    };
    const stopLater = (): void => void stop();
    this.stopping.signal.addEventListener('abort', stopLater, { once: true });
    try {
      // One after the other: if a runner cannot start, those before it are in the list and are stopped.
      const uses: readonly RunnerOptions[] = [
        {
          taskList: this.tasks('others'),
          concurrency: CONCURRENCY.others,
          parsedCronItems: parseCronItems(this.timetable()),
        },
        { taskList: this.tasks('mails'), concurrency: CONCURRENCY.mails, parsedCronItems: [] },
        { concurrency: URGENT_CONCURRENCY, forbiddenFlags: [CAN_WAIT], parsedCronItems: [] },
      ];
      for (const use of uses) {
        runners.push(await run({ ...options, ...use }));
      }
      if (this.stopping.signal.aborted) stopLater();
      await Promise.race([stalled, ...runners.map(({ promise }) => promise)]);
    } finally {
      this.stopping.signal.removeEventListener('abort', stopLater);
      // If one runner has ended, stops the others, which complete their jobs in progress.
      await this.untilRecorded([stop(), ...runners.map(({ promise }) => promise)]);
    }
    if (!this.stopping.signal.aborted) throw new Error('The runner ended by itself');
  }

  /**
   * Waits for the end of the runners, but no longer than for the jobs in progress: a broken runner may never
   * report its end.
   */
  private async untilRecorded(ends: readonly Promise<void>[]): Promise<void> {
    const over = new AbortController();
    await Promise.race([Promise.allSettled(ends), this.leases.quiet(RECORD_TIME, over.signal)]);
    over.abort();
  }

  /** Cuts the connections that do not close in time: a broken runner may keep one. */
  private async closed(pgPool: DatabasePool): Promise<void> {
    const over = new AbortController();
    const late = setTimeout(CLOSE_TIME, undefined, { signal: over.signal }).then(
      () => pgPool.cut(),
      () => undefined,
    );
    await Promise.race([pgPool.end().catch(() => undefined), late]);
    over.abort();
  }

  private async options(pgPool: DatabasePool): Promise<RunnerOptions> {
    const { Logger: JobLogger } = await import('graphile-worker');
    return {
      pgPool,
      taskList: this.tasks(),
      schema: 'graphile_worker',
      pollInterval: POLL_INTERVAL,
      noHandleSignals: true,
      // Without batches (a delay of -1) a stop does not wait until the outcome of a job is recorded, and its
      // mail would be sent again.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      // The third argument contains whole jobs and is not logged.
      logger: new JobLogger(() => (level, message) => {
        if (SERIOUS.has(level) && !FEWER_CONNECTIONS.test(message))
          this.logger[levelOf(this.logger)]({ source: 'jobs' }, message);
        else this.logger.debug({ source: 'jobs' }, message);
      }),
    };
  }

  private timetable(): CronItem[] {
    return [...this.handlers.values()].flatMap(({ task, times }) =>
      times === undefined ? [] : [{ task, match: times, options: { jobKey: task, maxAttempts: 1 } }],
    );
  }

  /** Of one pool, or all. */
  private tasks(pool?: JobHandler['pool']): TaskList {
    const tasks: TaskList = {};
    for (const [task, instance] of this.handlers) {
      if (pool !== undefined && instance.pool !== pool) continue;
      tasks[task] = async (payload, { job }) => {
        // The driver of the service reads 64-bit integers as numbers, for graphile-worker too.
        const id = String(job.id);
        const running = {
          ctx: jobContext(task, id),
          id,
          key: job.key ?? undefined,
          attempt: job.attempts,
          queuedAt: job.created_at,
          priority: priorityOf(job.priority),
          isLastTry: job.attempts >= job.max_attempts,
        };
        const work = () => instance.run(payload, running);
        await this.leases.hold(id, () =>
          inProcessingSpan(task, payload, running, () => this.throughOutages(work)),
        );
      };
    }
    return tasks;
  }

  /**
   * A separate pool, so that jobs and requests do not wait for each other. It bypasses a
   * pooler, which has no LISTEN.
   */
  private connections(max = CONNECTIONS): DatabasePool {
    const { connectionString = '' } = poolOf(this.dataSource).options;
    return new DatabasePool({
      connectionString: this.settings.databaseDirectUrl ?? connectionString,
      max,
      limits: JOB_LIMITS,
      applicationName: 'account-api-jobs',
    });
  }

  private async pause(): Promise<void> {
    await setTimeout(RESTART_DELAY, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
