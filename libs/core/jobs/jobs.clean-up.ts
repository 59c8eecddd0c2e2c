import { Injectable } from '@nestjs/common';
import { CleanUp } from './clean-up';

@Injectable()
export class JobsCleanUp extends CleanUp {
  readonly position = 10;
  readonly statements = [
    // A worker that was killed leaves its jobs locked. No job takes a quarter of an hour (SMTP gives up in a minute).
    `SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by)) FROM graphile_worker.jobs
     WHERE locked_at < now() - interval '15 minutes'`,
    // Jobs that failed for good are kept a month for whoever looks into it.
    `SELECT count(*) FROM graphile_worker.complete_jobs((SELECT coalesce(array_agg(id), '{}') FROM graphile_worker.jobs
     WHERE attempts >= max_attempts AND updated_at < now() - interval '30 days'))`,
  ];
}
