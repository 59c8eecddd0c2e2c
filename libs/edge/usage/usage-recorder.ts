import { setTimeout as pauseFor } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { Settings } from '@app/config/settings';
import { jobContext } from '@app/platform/context/work-context';
import { Transactions } from '@app/platform/database/transactions';
import { APP_LOGGER } from '@app/platform/observability/logger';
import { OTHER_PROGRAM, Programs } from './program-of';

/** Milliseconds between two writes. A crash loses the counts since the last one. */
const FLUSH_INTERVAL = 300_000;

/**
 * Maximum counts in memory. At this number the process writes at once and counts further programs as `other`.
 */
const MAX_COUNTS = 10_000;

/** Maximum distinct programs per organisation and flush; the database enforces the same per day. */
const MAX_PROGRAMS_OF_ORGANISATION = 10;

/** Maximum named programs per day, for all processes together. */
const MAX_PROGRAMS = 200;

/** Timeout of the last write at shutdown, in milliseconds. */
const MAX_LAST_WRITE = 3000;

/** A counted request. */
export interface Use {
  /** `GET /organisations/{organisationId}` */
  readonly operation: string;
  /** 0 without a credential. */
  readonly organisationId: number;
  readonly credential: 'login' | 'api_key' | 'service_key' | 'none';
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
 * Counts calls of the variant by organisation, program and credential in memory, and adds them to the
 * database every few minutes and at shutdown. No request waits for it or runs an additional statement.
 */
@Injectable()
export class UsageRecorder implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private counts = new Map<string, Count>();
  /** The programs in `counts`, by organisation. */
  private named = new Map<number, Set<string>>();
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

  /** Runs before the pool closes. The timeout is for a database that does not answer. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await Promise.race([this.flush(), pauseFor(MAX_LAST_WRITE, undefined, { ref: false })]);
  }

  note({ operation, organisationId, credential, userAgent }: Use): void {
    const isFull = this.counts.size >= MAX_COUNTS;
    const program = isFull ? OTHER_PROGRAM : this.programOf(organisationId, credential, userAgent);
    const key = `${operation} ${organisationId} ${credential} ${program}`;
    const count = this.counts.get(key);
    if (count !== undefined) count.requests += 1;
    // During a long outage of the database, new counts are dropped.
    else if (!isFull) this.counts.set(key, { operation, organisationId, program, credential, requests: 1 });
    if (isFull) void this.flush();
  }

  /** Without a credential anybody could make up names. */
  private programOf(
    organisationId: number,
    credential: Use['credential'],
    userAgent: Use['userAgent'],
  ): string {
    if (credential === 'none') return OTHER_PROGRAM;
    const program = this.programs.of(userAgent);
    if (program === OTHER_PROGRAM) return program;
    const named = this.named.get(organisationId) ?? new Set();
    if (named.size >= MAX_PROGRAMS_OF_ORGANISATION && !named.has(program)) return OTHER_PROGRAM;
    this.named.set(organisationId, named.add(program));
    return program;
  }

  /** Writes the counts. After an error they remain for the next write. */
  async flush(): Promise<void> {
    this.writing ??= this.write().finally(() => (this.writing = undefined));
    await this.writing;
  }

  private async write(): Promise<void> {
    if (this.counts.size === 0) return;
    const counts = this.counts;
    this.counts = new Map();
    this.named = new Map();
    const rows = [...counts.values()];
    try {
      await this.transactions.run(jobContext('usage'), (manager) =>
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
      this.logger.warn({ err: error }, 'usage could not be written, will be retried');
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
