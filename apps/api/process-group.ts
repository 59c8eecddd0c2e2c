import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createLogger, flushLog } from '@app/core/logging/logger';
import { MetricsOfMembers } from '@app/core/metrics/group-metrics';
import type { MemberMessage } from '@app/core/process-group/group-member';
import type { RunningProcess } from '@app/core/process/run-process';
import type { Settings } from '@app/core/settings/settings';
import { startWarnings } from '../../config/env';
import { prepareDatabase, type PreparedDatabase } from './prepare-database';
import { GRACE } from './serve';
import { welcome } from './welcome';

/** Milliseconds that a stopping member gets beyond its drain delay and its grace before it is killed. */
const STOP_MARGIN = 5000;
/** Milliseconds before a member that failed to start, or ended soon after, is started again: doubled each time. */
const FIRST_RESTART_DELAY = 500;
const MAX_RESTART_DELAY = 30_000;
/** Milliseconds that a member has to serve before its end counts as the first again. */
const STEADY = 60_000;

/** One place of the group; the process in it changes when one ends. */
interface Place {
  readonly doesJobs: boolean;
  member: Worker | undefined;
  isReady: boolean;
  restarts: number;
}

/**
 * Several processes that serve one port and one database: this one prepares the database, starts them, starts those
 * that end anew, and serves nothing itself. One of them does the jobs.
 */
export async function startProcessGroup(settings: Settings): Promise<RunningProcess> {
  const database = await prepareDatabase(settings, (line) => void process.stdout.write(`${line}\n`));
  const logger = createLogger(settings);
  const group = new ProcessGroup(settings, database, logger);
  const stop = async (): Promise<void> => {
    await group.stop();
    await database.embedded?.stop();
    await flushLog(logger);
  };
  try {
    for (const warning of startWarnings(settings)) logger.warn(warning);
    const port = await group.start();
    process.stdout.write(`${welcome({ ...settings, port, database })}\n`);
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

class ProcessGroup {
  private readonly places: readonly Place[];
  private readonly metrics = new MetricsOfMembers(() =>
    this.places.flatMap(({ member, isReady }) => (member !== undefined && isReady ? [member] : [])),
  );
  private isStopping = false;
  private port: number;

  constructor(
    private readonly settings: Settings,
    private readonly database: PreparedDatabase,
    private readonly logger: Logger,
  ) {
    this.port = settings.port;
    this.places = Array.from({ length: settings.processes }, (_, index) => ({
      doesJobs: settings.worker && index === 0,
      member: undefined,
      isReady: false,
      restarts: 0,
    }));
  }

  /** Resolves with the port that they share when all are ready; rejects with what the first to fail says. */
  async start(): Promise<number> {
    const [port = this.port] = await Promise.all(this.places.map((place) => this.fill(place)));
    this.port = port;
    for (const place of this.places) this.watch(place);
    return port;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    const deadline = pause(this.settings.drainDelay * 1000 + GRACE + STOP_MARGIN, undefined, { ref: false });
    await Promise.all(
      this.places.map(async ({ member }) => {
        if (member === undefined || member.isDead()) return;
        const ended = once(member, 'exit');
        member.process.kill('SIGTERM');
        await Promise.race([ended, deadline]);
        if (!member.isDead()) member.process.kill('SIGKILL');
      }),
    );
  }

  private async fill(place: Place): Promise<number> {
    const member = cluster.fork();
    place.member = member;
    this.metrics.listenTo(member);
    const port = await new Promise<number>((resolve, reject) => {
      member.on('message', (message: MemberMessage) => {
        if (message.kind === 'member.waits') {
          const { port, database } = this;
          const task = { databaseUrl: database.url, port, doesJobs: place.doesJobs };
          member.send({ kind: 'member.task', task } satisfies MemberMessage);
        }
        if (message.kind === 'member.ready') resolve(message.port);
        if (message.kind === 'member.failed') reject(new MemberFailed(message.line));
      });
      member.once('exit', (status, signal) =>
        reject(new MemberFailed(`A process ended before it was ready (${signal || status})`)),
      );
    });
    place.isReady = true;
    return port;
  }

  /** Fills the place again whenever its process ends. */
  private watch(place: Place): void {
    const since = performance.now();
    place.member?.once('exit', (status, signal) => {
      place.isReady = false;
      if (this.isStopping) return;
      this.logger.error({ status, signal, doesJobs: place.doesJobs }, 'a process ended and is started again');
      if (performance.now() - since > STEADY) place.restarts = 0;
      void this.refill(place);
    });
  }

  private async refill(place: Place): Promise<void> {
    if (place.restarts > 0) {
      const delay = Math.min(FIRST_RESTART_DELAY * 2 ** place.restarts, MAX_RESTART_DELAY);
      // Where all members have ended nothing else keeps this process alive.
      await pause(delay);
    }
    place.restarts++;
    if (this.isStopping) return;
    try {
      await this.fill(place);
      this.watch(place);
    } catch (error) {
      if (this.isStopping) return;
      this.logger.error({ err: error }, 'a process could not be started again');
      await this.refill(place);
    }
  }
}

/** Why a member does not serve, in its own line. */
class MemberFailed extends Error {
  override readonly name = 'MemberFailed';
  /** See libs/core/process/explain.ts: the line is all that the operator needs. */
  readonly explained = true;
}
