import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { OperatorError, type Settings } from '@app/platform/process/settings';
import { createLogger, flushLog } from '@app/platform/observability/logger';
import { ClusterMetrics } from '@app/platform/observability/cluster-metrics';
import type { StartMessage } from '@app/platform/process/cluster-worker';
import type { RunningProcess } from '@app/platform/process/run-process';
import { directDatabase } from '@app/platform/database/data-source-options';
import { warnOfDeployment } from '@app/service/deployment/findings';
import { startWarnings } from '../../config/start-warnings';
import { makeFirstAdmin, prepareDatabase, type PreparedDatabase, type StartWatch } from './prepare-database';
import { assertCanListen, GRACE } from './serve';
import { welcome } from './start-service';

/** Milliseconds beyond drain delay and grace after which a stopping worker is killed. */
const STOP_MARGIN = 5000;
/** Milliseconds before a restart. The first is immediate; each further one in a row doubles the delay. */
const FIRST_RESTART_DELAY = 500;
const MAX_RESTART_DELAY = 30_000;
/** Milliseconds of serving after which the next restart counts as the first again. */
const STEADY = 60_000;

/** One worker of the cluster; a restart replaces the process. */
interface Slot {
  readonly doesJobs: boolean;
  worker: Worker | undefined;
  restarts: number;
}

/**
 * Several processes that serve one port and one database. This process, the primary, prepares the database, starts the
 * workers and restarts those that end; it serves no requests. One worker runs the jobs.
 */
export async function startServiceCluster(
  settings: Settings,
  stopWanted: AbortSignal,
): Promise<RunningProcess> {
  await assertCanListen(settings);
  const watch: StartWatch = { say: (line) => void process.stdout.write(`${line}\n`), stopWanted };
  const database = await prepareDatabase(settings, watch);
  const logger = createLogger(settings);
  const workers = new ServiceCluster(settings, database, logger);
  const stop = async (): Promise<void> => {
    await workers.stop();
    await database.embedded?.stop();
    await flushLog(logger);
  };
  try {
    for (const warning of [...startWarnings(settings), ...database.warnings]) logger.warn(warning);
    await warnOfDeployment(settings, directDatabase(settings, database.url), logger);
    const port = await workers.start();
    const admin = await makeFirstAdmin(settings, database);
    watch.say(welcome({ ...settings, port, database, admin }));
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

class ServiceCluster {
  private readonly slots: readonly Slot[];
  private readonly metrics = new ClusterMetrics();
  private isStopping = false;
  private port: number;

  constructor(
    private readonly settings: Settings,
    private readonly database: PreparedDatabase,
    private readonly logger: Logger,
  ) {
    this.port = settings.port;
    this.slots = Array.from({ length: settings.processes }, (_, index) => ({
      doesJobs: settings.worker && index === 0,
      worker: undefined,
      restarts: 0,
    }));
  }

  /** Resolves with the shared port when all workers are ready; rejects with the message of the first that fails. */
  async start(): Promise<number> {
    const [port = this.port] = await Promise.all(this.slots.map((slot) => this.fork(slot)));
    this.port = port;
    for (const slot of this.slots) this.watch(slot);
    return port;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    const deadline = pause(this.settings.drainDelay * 1000 + GRACE + STOP_MARGIN, undefined, { ref: false });
    await Promise.all(
      this.slots.map(async ({ worker }) => {
        if (worker === undefined || worker.isDead()) return;
        const ended = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        await Promise.race([ended, deadline]);
        if (!worker.isDead()) worker.process.kill('SIGKILL');
      }),
    );
  }

  /** Resolves with the port when the worker is ready. */
  private fork(slot: Slot): Promise<number> {
    const worker = cluster.fork();
    slot.worker = worker;
    this.metrics.add(worker);
    return new Promise<number>((resolve, reject) => {
      worker.on('message', (message: StartMessage) => {
        if (message.kind === 'worker.waits') {
          const task = { databaseUrl: this.database.url, port: this.port, doesJobs: slot.doesJobs };
          worker.send({ kind: 'worker.task', task } satisfies StartMessage);
        }
        if (message.kind === 'worker.ready') resolve(message.port);
        if (message.kind === 'worker.failed') reject(new WorkerFailed(message.line));
      });
      worker.once('exit', (status, signal) =>
        reject(new WorkerFailed(`A process ended before it was ready (${signal || status})`)),
      );
    });
  }

  private watch(slot: Slot): void {
    const since = performance.now();
    slot.worker?.once('exit', (status, signal) => {
      if (this.isStopping) return;
      this.logger.error({ status, signal, doesJobs: slot.doesJobs }, 'a process ended and restarts');
      if (performance.now() - since > STEADY) slot.restarts = 0;
      void this.restart(slot);
    });
  }

  private async restart(slot: Slot): Promise<void> {
    if (slot.restarts > 0) {
      // This timer alone keeps the primary alive when all workers have ended.
      await pause(Math.min(FIRST_RESTART_DELAY * 2 ** slot.restarts, MAX_RESTART_DELAY));
    }
    slot.restarts++;
    if (this.isStopping) return;
    try {
      await this.fork(slot);
      this.watch(slot);
    } catch (error) {
      if (this.isStopping) return;
      this.logger.error({ err: error }, 'a process could not be restarted');
      await this.restart(slot);
    }
  }
}

/** The start-up error of a worker, in its own words. */
class WorkerFailed extends OperatorError {
  override readonly name = 'WorkerFailed';
}
