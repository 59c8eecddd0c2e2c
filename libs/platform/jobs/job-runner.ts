import { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CronItem, Runner, RunnerOptions, TaskList, WorkerEvents } from 'graphile-worker';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { RequestContext } from '../context/request-context';
import { JOB_LIMITS } from '../database/database-limits';
import { DatabasePool, poolOf } from '../database/database-pool';
import { directDatabase } from '../database/data-source-options';
import { APP_LOGGER } from '../observability/logger';
import { Settings } from '../process/settings';
import type { JobHandler } from './job-handler';
import { inProcessingSpan } from './job-trace';
import { CAN_WAIT } from './queue-job';
import { JobsInProgress, rejectWhenStalled, WorkerHeartbeat } from './worker-watch';
import { CleanUpHandler, JobsCleanUp } from './clean-up';

/** Jobs of any kind at once in a process. Mails wait for the network, so a few share a core well. */
const CONCURRENCY = 2;
/**
 * One more worker takes only urgent jobs: a recovery mail does not wait behind notifications to a slow mail server. No
 * queue of graphile-worker: it spans all processes, so that more processes would send no more mails.
 */
const URGENT_CONCURRENCY = 1;
/** Outbound jobs at once in a process: they do little but wait. Those that can wait leave half of the workers free. */
const OUTBOUND_CONCURRENCY = 16;
const OUTBOUND_WAITING = 8;
/** Three connections listen, one has the heartbeat, the others take and complete jobs. */
const CONNECTIONS = 7;
/** Milliseconds between two polls for due retries; new jobs arrive by NOTIFY. */
const POLL_INTERVAL = 5000;
/** Milliseconds before the next start after a failure. */
const RESTART_DELAY = 5000;
/** Log levels of graphile-worker for operators. */
const SERIOUS: ReadonlySet<string> = new Set(['error', 'warning']);

/** Runs the jobs of graphile-worker in this process, beside the service or in a process of its own. */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  handlers: readonly JobHandler[] = [];
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private readonly inProgress = new JobsInProgress();
  /** Outbound jobs in progress that can wait. */
  private outboundWaiting = 0;

  constructor(
    private readonly settings: Settings,
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {}

  /** Does not wait, so that the service is ready before its first mail goes. */
  onApplicationBootstrap(): void {
    if (this.settings.worker) this.running = this.keepRunning();
  }

  /** Before the database connections close. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Takes no new jobs and finishes those in progress; may be called again. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Does every job that is due and returns. */
  async runDue(): Promise<void> {
    const { runOnce } = await import('graphile-worker');
    const pgPool = this.connections();
    try {
      const taskList = { ...this.tasks(false), ...this.tasks(true) };
      await runOnce({ ...(await this.options(pgPool)), taskList, concurrency: 1 });
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
    // The runner before may have lost its connection.
    await this.inProgress.giveBack(pgPool);
    const events: WorkerEvents = new EventEmitter();
    const heartbeat = new WorkerHeartbeat(events, this.logger);
    const stalled = rejectWhenStalled(events);
    stalled.catch(() => undefined);
    const options = { ...(await this.options(pgPool)), events };
    let beating: Promise<void> | undefined;
    const runners: Runner[] = [];
    const stop = async (): Promise<void> => {
      await Promise.all(runners.map((runner) => runner.stop().catch(() => undefined)));
    };
    const stopLater = (): void => void stop();
    this.stopping.signal.addEventListener('abort', stopLater, { once: true });
    try {
      // One after the other: if the second cannot start, the first is in the list and stops.
      const uses: readonly RunnerOptions[] = [
        {
          concurrency: CONCURRENCY,
          taskList: this.tasks(false),
          parsedCronItems: parseCronItems(this.timetable()),
        },
        {
          concurrency: URGENT_CONCURRENCY,
          taskList: this.tasks(false),
          forbiddenFlags: [CAN_WAIT],
          parsedCronItems: [],
        },
        {
          concurrency: OUTBOUND_CONCURRENCY,
          taskList: this.tasks(true),
          forbiddenFlags: () => (this.outboundWaiting < OUTBOUND_WAITING ? null : [CAN_WAIT]),
          parsedCronItems: [],
        },
      ];
      for (const use of uses) {
        runners.push(await run({ ...options, ...use }));
      }
      beating = heartbeat.run(pgPool);
      if (this.stopping.signal.aborted) stopLater();
      await Promise.race([stalled, ...runners.map(({ promise }) => promise)]);
    } finally {
      this.stopping.signal.removeEventListener('abort', stopLater);
      // If one has ended, the other finishes its jobs in progress.
      await stop();
      await Promise.allSettled(runners.map(({ promise }) => promise));
      heartbeat.end();
      await beating;
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
      // Without batches (a delay of -1) a stop does not wait until the outcome of a job is recorded, and its mail would
      // go out again.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      // The third argument holds whole jobs and stays out of the log. Outbound jobs may outnumber the connections: they wait for
      // receivers without one.
      logger: new JobLogger(() => (level, message) => {
        if (SERIOUS.has(level) && !message.includes('maxPoolSize'))
          this.logger.warn({ source: 'jobs' }, message);
        else this.logger.debug({ source: 'jobs' }, message);
      }),
    };
  }

  private timetable(): CronItem[] {
    return this.handlers.flatMap(({ task, times }) =>
      times === undefined ? [] : [{ task, match: times, options: { jobKey: task, maxAttempts: 1 } }],
    );
  }

  private tasks(isOutbound: boolean): TaskList {
    const tasks: TaskList = {};
    for (const instance of this.handlers.filter((handler) => handler.isOutbound === isOutbound)) {
      if (tasks[instance.task] !== undefined) throw new Error(`Two handlers for ${instance.task}`);
      tasks[instance.task] = async (payload, { job }) => {
        // The driver of the service reads 64-bit integers as numbers, for graphile-worker too.
        const id = String(job.id);
        this.inProgress.take(id, job.locked_by);
        const running = {
          ctx: RequestContext.forJob(instance.task, id),
          id,
          key: job.key ?? undefined,
          attempt: job.attempts,
          queuedAt: job.created_at,
          isLastTry: job.attempts >= job.max_attempts,
        };
        const waits = isOutbound && job.flags?.[CAN_WAIT] === true ? 1 : 0;
        this.outboundWaiting += waits;
        try {
          await inProcessingSpan(instance.task, payload, running, () => instance.run(payload, running));
        } finally {
          this.outboundWaiting -= waits;
        }
        this.inProgress.done(id);
      };
    }
    return tasks;
  }

  /** A separate pool: jobs and requests do not wait for each other. It bypasses a pooler, which keeps no LISTEN. */
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

/** Work after the request: `queueJob` writes it, a `JobHandler` does it. */
@Module({ providers: [CleanUpHandler, JobRunner, JobsCleanUp], exports: [JobRunner] })
export class JobsModule {}
