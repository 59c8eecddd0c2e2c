import { Injectable } from '@nestjs/common';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { KeyEnds } from '@app/sign-in/keys/key-ends';

/** Notifies users 30 and 7 days before an API key ends. */
@Injectable()
export class AnnounceKeyEndsHandler extends JobHandler {
  readonly task = 'apikeys.announceEnds';
  override readonly times = '17 * * * *';

  constructor(private readonly ends: KeyEnds) {
    super();
  }

  run(_: unknown, { ctx }: RunningJob): Promise<void> {
    return this.ends.announce(ctx, {
      table: 'api_keys',
      entityClass: 'ApiKey',
      userId: 'k.user_id',
      organisationId: 'u.organisation_id',
      join: 'JOIN users u ON u.id = k.user_id AND u.enabled AND u.deleted_at IS NULL',
    });
  }
}
