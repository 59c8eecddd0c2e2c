import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { PresentedCredential } from './access.types';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import type { PreparedStatement } from '@app/platform/database/pg-reads/statement';

/**
 * Updates the last use of a table's credentials, at most once a minute for each. It does not wait for a standby or for locked
 * rows.
 */
export const lastUseStatement = (table: string): PreparedStatement =>
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

type Kind = PresentedCredential['kind'];

/**
 * Records the last use of credentials in the background. No request waits for it or fails with it. It takes one connection at a
 * time, even if the database is slow.
 */
@Injectable()
export class CredentialUse implements OnApplicationShutdown {
  private readonly statements = new Map<Kind, PreparedStatement>();
  private readonly waiting = new Map<Kind, Set<number>>();
  private writing: Promise<void> | undefined;

  constructor(private readonly queries: DatabaseReads) {}

  /**
   * Call it at start, from the domain that owns the table.
   * @param statement parameter: $1 ids of credentials
   */
  writeWith(kind: Kind, statement: PreparedStatement): void {
    this.statements.set(kind, statement);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.writing;
  }

  note({ kind, id }: PresentedCredential): void {
    if (!this.statements.has(kind)) {
      throw new Error(`No domain records the use of this kind of credential: ${kind}`);
    }
    const ids = this.waiting.get(kind) ?? new Set();
    if (ids.size < MAX_WAITING) this.waiting.set(kind, ids.add(id));
    this.writing ??= this.writeAll().finally(() => (this.writing = undefined));
  }

  private async writeAll(): Promise<void> {
    for (const [kind, statement] of this.statements) {
      // Uses that arrive during a write go into the next one.
      for (let ids = this.take(kind); ids.length > 0; ids = this.take(kind)) {
        // After a failure the credential's next request tries again.
        await this.queries.rows(statement, [ids]).catch(() => undefined);
      }
    }
    if (this.waiting.size > 0) await this.writeAll();
  }

  private take(kind: Kind): number[] {
    const ids = [...(this.waiting.get(kind) ?? [])];
    this.waiting.delete(kind);
    return ids;
  }
}
