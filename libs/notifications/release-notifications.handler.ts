import { Injectable } from '@nestjs/common';
import { Transactions } from '@app/core/database/transactions';
import { JobHandler } from '@app/core/jobs/job-handler';
import { RELEASE_NOTIFICATIONS } from './notification-jobs';
import { NotificationRelease } from './notification-release';

/** Lets mails of an organisation go that waited for its hourly budget. */
@Injectable()
export class ReleaseNotificationsHandler extends JobHandler {
  readonly task = RELEASE_NOTIFICATIONS;

  constructor(
    private readonly transactions: Transactions,
    private readonly releases: NotificationRelease,
  ) {
    super();
  }

  async run(payload: unknown): Promise<void> {
    const { organisationId } = payload as { organisationId: number };
    await this.transactions.run((manager) => this.releases.release(manager, organisationId));
  }
}
