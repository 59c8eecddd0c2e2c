import { Injectable } from '@nestjs/common';
import { LoginProofs } from '@app/people/users/login-proofs';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';

const KEY_OF_LOGIN = prepared<{ name: string }>(
  'SELECT service_key_name AS name FROM logins WHERE id = $1 AND service_key_name IS NOT NULL',
);

/** Whoever logged in by a link has shown no password yet. */
@Injectable()
export class LinkProofs extends LoginProofs {
  constructor(private readonly queries: DatabaseReads) {
    super();
  }

  async standInFor(loginId: number): Promise<string | undefined> {
    return (await this.queries.row(KEY_OF_LOGIN, [loginId]))?.name;
  }
}
