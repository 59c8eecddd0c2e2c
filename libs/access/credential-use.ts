import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { PresentedCredential } from '@app/core/access/caller';
import { PreparedQueries, prepared, type PreparedStatement } from '@app/core/database/prepared-queries';

/**
 * Says how the use of one kind of credential is written down, which the domain that owns its table does. A provider
 * of any module that extends this class is found by itself.
 */
export abstract class CredentialUseHandler {
  abstract readonly kind: PresentedCredential['kind'];

  /** Parameter: $1 ids of credentials. */
  abstract readonly statement: PreparedStatement;
}

/**
 * Writes when credentials of a table were last used, at most once a minute for each, whatever the load. It waits for
 * nobody: neither for a standby to have it too, nor for a row that somebody else changes.
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

/** Uses that wait to be written; whatever comes past them is written with the credential's next request. */
const MAX_WAITING = 1000;

type Kind = PresentedCredential['kind'];

/**
 * Writes when a credential was last used, beside the answers: no read waits for it, and none fails with it. One
 * connection of the pool at a time, whatever the load and however long the database takes.
 */
@Injectable()
export class CredentialUse implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly statements = new Map<Kind, PreparedStatement>();
  private readonly waiting = new Map<Kind, Set<number>>();
  private writing: Promise<void> | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly queries: PreparedQueries,
  ) {}

  onApplicationBootstrap(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (instance instanceof CredentialUseHandler) this.statements.set(instance.kind, instance.statement);
    }
  }

  /** Nothing goes on after the service: what was noted is written, or has failed, by then. */
  async onApplicationShutdown(): Promise<void> {
    await this.writing;
  }

  note({ kind, id }: PresentedCredential): void {
    if (!this.statements.has(kind)) {
      throw new Error(`No domain writes down the use of a credential: ${kind}`);
    }
    const ids = this.waiting.get(kind) ?? new Set();
    if (ids.size < MAX_WAITING) this.waiting.set(kind, ids.add(id));
    this.writing ??= this.writeAll().finally(() => (this.writing = undefined));
  }

  private async writeAll(): Promise<void> {
    for (const [kind, statement] of this.statements) {
      // What comes meanwhile is written in the next round.
      for (let ids = this.take(kind); ids.length > 0; ids = this.take(kind)) {
        // Without the database there is nothing to write; the credential's next request tries again.
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
