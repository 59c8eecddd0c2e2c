import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { PresentedCredential } from '@app/core/access/caller';
import { PreparedQueries, prepared, type PreparedStatement } from '@app/core/database/prepared-queries';

/**
 * Says how the use of one kind of credential is written down, which the domain that owns its table does. A provider
 * of any module that extends this class is found by itself.
 */
export abstract class CredentialUseHandler {
  abstract readonly kind: PresentedCredential['kind'];

  /** Parameter: $1 id of the credential. */
  abstract readonly statement: PreparedStatement;
}

/** Writes when a credential of a table was last used, at most once a minute for each, whatever the load. */
export const lastUseStatement = (table: string): PreparedStatement =>
  prepared(`UPDATE ${table} SET last_used_at = now()
    WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`);

/** Writes when a credential was last used. */
@Injectable()
export class CredentialUse implements OnApplicationBootstrap {
  private readonly statements = new Map<PresentedCredential['kind'], PreparedStatement>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly queries: PreparedQueries,
  ) {}

  onApplicationBootstrap(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (instance instanceof CredentialUseHandler) this.statements.set(instance.kind, instance.statement);
    }
  }

  async record({ kind, id }: PresentedCredential): Promise<void> {
    const statement = this.statements.get(kind);
    if (statement === undefined) throw new Error(`No domain writes down the use of a credential: ${kind}`);
    await this.queries.rows(statement, [id]);
  }
}
