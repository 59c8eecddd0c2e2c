import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { Transactions } from '@app/core/database/transactions';
import { APP_LOGGER } from '@app/core/logging/logger';
import { Settings } from '@app/core/settings/settings';
import { OTHER_PROGRAM, Programs } from './program-of';

/** Milliseconds between two writes: what a process that dies has counted since is lost. */
const FLUSH_INTERVAL = 300_000;

/** Counts that a process keeps until they are written; with so many it writes at once, and names no more programs. */
const MAX_COUNTS = 10_000;

/** Programs that a day knows by name, of all processes together. */
const MAX_PROGRAMS = 200;

/** Milliseconds that a stopping process takes for its last write. */
const MAX_LAST_WRITE = 3000;

/** One request, as it is counted. */
export interface Use {
  /** `GET /organisations/{organisationId}` */
  readonly operation: string;
  /** 0 where nobody is known. */
  readonly organisationId: number;
  readonly credential: 'login' | 'api_key' | 'none';
  readonly userAgent: string | undefined;
}

interface Count {
  readonly operation: string;
  readonly organisationId: number;
  readonly program: string;
  readonly credential: string;
  requests: number;
}

const RECORD = `
  SELECT set_config('synchronous_commit', 'off', true),
    record_variant_usage($1, $2::text[], $3::integer[], $4::text[], $5::text[], $6::bigint[], $7)`;

/**
 * Counts which variant is called, by whom and with what, in the memory of the process, and adds that up in the database
 * every few minutes and at the end: no request waits for it or makes a statement more.
 */
@Injectable()
export class UsageRecorder implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private counts = new Map<string, Count>();
  private readonly programs = new Programs();
  private writing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly transactions: Transactions,
    private readonly settings: Settings,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL).unref();
  }

  /** While the database is still there; one that does not answer keeps nobody waiting. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, MAX_LAST_WRITE)));
    await Promise.race([this.flush(), enough]);
    clearTimeout(timer);
  }

  note({ operation, organisationId, credential, userAgent }: Use): void {
    const isFull = this.counts.size >= MAX_COUNTS;
    const program = isFull ? OTHER_PROGRAM : this.programs.of(userAgent, credential !== 'none');
    const key = `${operation} ${organisationId} ${credential} ${program}`;
    const count = this.counts.get(key);
    if (count !== undefined) count.requests += 1;
    // Where the database has been away for so long, what is new is not counted.
    else if (!isFull) this.counts.set(key, { operation, organisationId, program, credential, requests: 1 });
    if (isFull) void this.flush();
  }

  /** Writes what was counted; what cannot be written is kept for the next time. */
  async flush(): Promise<void> {
    this.writing ??= this.write().finally(() => (this.writing = undefined));
    await this.writing;
  }

  private async write(): Promise<void> {
    if (this.counts.size === 0) return;
    const counts = this.counts;
    this.counts = new Map();
    const rows = [...counts.values()];
    try {
      await this.transactions.run((manager) =>
        manager.query(RECORD, [
          this.settings.variant,
          rows.map(({ operation }) => operation),
          rows.map(({ organisationId }) => organisationId),
          rows.map(({ program }) => program),
          rows.map(({ credential }) => credential),
          rows.map(({ requests }) => requests),
          MAX_PROGRAMS,
        ]),
      );
    } catch (error) {
      this.takeBack(counts);
      this.logger.warn({ err: error }, 'use could not be written down, will be tried again');
    }
  }

  private takeBack(counts: ReadonlyMap<string, Count>): void {
    for (const [key, count] of counts) {
      const present = this.counts.get(key);
      if (present !== undefined) present.requests += count.requests;
      else if (this.counts.size < MAX_COUNTS) this.counts.set(key, count);
    }
  }
}
