import { Injectable } from '@nestjs/common';
import { Sql, prepared, type PreparedStatement } from '../database/sql';
import type { PresentedCredential } from './caller';

const touch = (table: string): PreparedStatement =>
  prepared(`UPDATE ${table} SET last_used_at = now()
    WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`);

const STATEMENTS = { login: touch('logins'), api_key: touch('api_keys') } as const;

/** Writes when a credential was last used, at most once a minute for each, whatever the load. */
@Injectable()
export class CredentialUse {
  constructor(private readonly sql: Sql) {}

  async record(credential: PresentedCredential): Promise<void> {
    await this.sql.rows(STATEMENTS[credential.kind], [credential.id]);
  }
}
