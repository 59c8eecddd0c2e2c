import { Injectable } from '@nestjs/common';
import { LoginProofs } from '@app/people/users/login-proofs';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';

const MADE_BY_LINK = prepared('SELECT 1 FROM logins WHERE id = $1 AND service_key_name IS NOT NULL');

/** Whoever logged in by a link has shown no password yet. */
@Injectable()
export class LinkProofs extends LoginProofs {
  constructor(private readonly queries: DatabaseReads) {
    super();
  }

  async isUnproved(loginId: number): Promise<boolean> {
    return (await this.queries.row(MADE_BY_LINK, [loginId])) !== undefined;
  }
}
