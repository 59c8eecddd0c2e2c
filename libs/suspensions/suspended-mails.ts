import { Injectable } from '@nestjs/common';
import { isSuspended } from '@app/access/suspended';
import { prepared, PreparedQueries } from '@app/core/database/prepared-queries';
import { MailGate } from '@app/core/mail/mail-gate';

const IS_SUSPENDED = prepared<{ suspended: boolean }>(
  `SELECT ${isSuspended('o.id')} AS suspended FROM organisations o WHERE o.id = $1`,
);

/** A link that opens nothing for the time being waits: it would be tried, found dead and thrown away. */
@Injectable()
export class SuspendedMails extends MailGate {
  readonly position = 10;

  constructor(private readonly queries: PreparedQueries) {
    super();
  }

  async isClosed(organisationId: number): Promise<boolean> {
    return (await this.queries.row(IS_SUSPENDED, [organisationId]))?.suspended === true;
  }
}
