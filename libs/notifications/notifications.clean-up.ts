import { Injectable } from '@nestjs/common';
import { CleanUp } from '@app/core/jobs/clean-up';

@Injectable()
export class NotificationsCleanUp extends CleanUp {
  readonly position = 60;
  readonly statements = [
    // No delivery is tried for three days: the last try of this one was killed before it could say what became of it.
    // The mail of an invitation may wait longer, for its organisation's budget.
    `UPDATE notification_recipients SET status = 'failed', message = 'The delivery was interrupted.'
     WHERE status = 'queued' AND queued_at < now() - interval '3 days' AND kind <> 'invited'`,
  ];
}
