import { Injectable } from '@nestjs/common';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { KeyEnds } from '@app/sign-in/keys/key-ends';

/** Notifies the System contacts of an organisation 30 and 7 days before a service key ends. */
@Injectable()
export class AnnounceServiceKeyEndsHandler extends JobHandler {
  readonly task = 'servicekeys.announceEnds';
  override readonly times = '27 * * * *';

  constructor(private readonly ends: KeyEnds) {
    super();
  }

  run(_: unknown, { ctx }: RunningJob): Promise<void> {
    return this.ends.announce(ctx, {
      table: 'service_keys',
      entityClass: 'ServiceKey',
      userId: 'NULL::integer',
      organisationId: 'k.organisation_id',
      join: '',
    });
  }
}
