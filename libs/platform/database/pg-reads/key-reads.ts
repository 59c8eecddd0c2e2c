import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { TooBusy } from '../../concurrency/concurrency-limiter';
import { DatabasePool } from '../database-pool';
import type { PreparedStatement } from './statement';

/**
 * Number of connections. With four a process waited for its own turns of the event loop: 5,000 reads a
 * second, 8,000 with eight, no more with sixteen (Node 26, a busy machine).
 */
const CONNECTIONS = 8;

/** Most reads that wait for a connection. With more, the database is too slow to catch up. */
const MAX_WAITING = 1000;

/** Retry-After of a refused request, in seconds. */
const RETRY_AFTER = 2;

/**
 * The reads by key of all requests, on connections that no long work holds. Their sessions plan such reads
 * once and by index.
 */
@Injectable()
export class KeyReads implements OnModuleDestroy {
  readonly pool: DatabasePool;

  constructor(connectionString: string) {
    this.pool = new DatabasePool({
      connectionString,
      max: CONNECTIONS,
      applicationName: 'account-api reads',
      keepsIdle: true,
      // One index plan serves all values: planning takes longer than finding the row. Without this
      // `enable_seqscan`, a plan from the time of an empty table would scan it forever.
      settings: { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' },
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.pool.end();
  }

  /** The rows of a read. Throws TooBusy if too many wait. */
  async rows<Row extends QueryResultRow>(
    { name, text }: PreparedStatement<Row>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    if (this.pool.waitingCount >= MAX_WAITING) throw new TooBusy(RETRY_AFTER);
    try {
      return (await this.pool.query<Row>({ name, text, values: values as unknown[] })).rows;
    } catch (error) {
      if (!isOutdated(error)) throw error;
      return (await this.pool.query<Row>({ text, values: values as unknown[] })).rows;
    }
  }
}

/** `cached plan must not change result type`: a migration has changed the type of the rows. */
const CHANGED = '0A000';
/**
 * The statement is not prepared: the connection has lost its statements (DISCARD ALL), or a pooler changes
 * connections between transactions.
 */
const LOST = '26000';

/** Whether a prepared statement succeeds when it is sent again without its name. */
export function isOutdated(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return code === CHANGED || code === LOST;
}
