import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import type { PreparedStatement } from '@app/platform/database/pg-reads/statement';
import { type PresentedCredential, TABLE_OF } from './access.types';

/**
 * Updates the last use of the credentials $1 of a table, at most once a minute for each. It does not wait for
 * a standby or for locked rows.
 */
const lastUse = (table: string): PreparedStatement =>
  prepared(`
    WITH without_standby AS (SELECT set_config('synchronous_commit', 'off', true))
    UPDATE ${table} SET last_used_at = now() FROM without_standby
    WHERE id IN (
      SELECT id FROM ${table}
      WHERE id = ANY($1::integer[]) AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
      FOR UPDATE SKIP LOCKED
    )`);

/** Maximum waiting uses. A dropped use is written with the credential's next request. */
const MAX_WAITING = 1000;

type Table = (typeof TABLE_OF)[PresentedCredential['kind']];

const STATEMENTS: Readonly<Record<Table, PreparedStatement>> = {
  logins: lastUse('logins'),
  api_keys: lastUse('api_keys'),
  service_keys: lastUse('service_keys'),
};

/**
 * Records the last use of credentials in the background. No request waits for it or fails with it. It takes
 * one connection at a time, even if the database is slow.
 */
@Injectable()
export class CredentialUse implements OnApplicationShutdown {
  /** Ids by table. */
  private readonly waiting = new Map<Table, Set<number>>();
  private writing: Promise<void> | undefined;

  constructor(private readonly queries: DatabaseReads) {}

  async onApplicationShutdown(): Promise<void> {
    await this.written();
  }

  /** Resolves when what was noted so far is written. */
  async written(): Promise<void> {
    await this.writing;
  }

  note({ kind, id }: PresentedCredential): void {
    const table = TABLE_OF[kind];
    const ids = this.waiting.get(table) ?? new Set();
    if (ids.size < MAX_WAITING) this.waiting.set(table, ids.add(id));
    this.writing ??= this.writeAll().finally(() => (this.writing = undefined));
  }

  private async writeAll(): Promise<void> {
    // Uses that arrive during a write go into the next one, which this loop reaches too.
    for (const [table, ids] of this.waiting) {
      this.waiting.delete(table);
      // After a failure the credential's next request tries again.
      await this.queries.rows(STATEMENTS[table], [[...ids]]).catch(() => undefined);
    }
  }
}
