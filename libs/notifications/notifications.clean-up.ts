import { Injectable } from '@nestjs/common';
import { CleanUp } from '@app/core/jobs/clean-up';
import { Settings } from '@app/core/settings/settings';
import { INVITED_PREFIX } from './invited-recipients';

const BATCH = 1000;

// No delivery is tried for three days: the last try of this one was killed before it could say what became of it.
// The mail of an invitation may wait longer, for its organisation's budget: see below.
const INTERRUPTED = `
  UPDATE notification_recipients SET status = 'failed', message = 'The delivery was interrupted.'
  WHERE status = 'queued' AND queued_at < now() - interval '3 days' AND kind <> 'invited'`;

// A job without a try left that says nothing of its mail was killed at the last one; while it is locked, that goes on.
const KILLED = `
  UPDATE notification_recipients r SET status = 'failed', message = 'The delivery was interrupted.'
  FROM notifications n, graphile_worker._private_jobs j
  WHERE j.attempts >= j.max_attempts AND j.locked_at IS NULL AND j.key IS NOT NULL
    AND j.payload ->> 'reference' LIKE '${INVITED_PREFIX}%'
    AND n.entity_class = 'Invitation' AND j.payload ->> 'reference' = '${INVITED_PREFIX}' || n.entity_id
    AND n.id = r.notification_id AND r.kind = 'invited' AND r.status = 'queued'`;

/** Ids grow with time: only the oldest are looked at, however many there are. Recipients go along. */
const past = (retention: number): string => `
  WITH gone AS (
    DELETE FROM notifications WHERE id IN (
      SELECT id FROM (SELECT id, created_at FROM notifications ORDER BY id LIMIT ${BATCH}) oldest
      WHERE created_at < now() - make_interval(secs => ${retention}))
    RETURNING id
  ) SELECT count(*) = ${BATCH} AS more FROM gone`;

@Injectable()
export class NotificationsCleanUp extends CleanUp {
  readonly position = 60;
  readonly statements: readonly string[];

  constructor({ notificationRetention }: Settings) {
    super();
    this.statements = [
      INTERRUPTED,
      KILLED,
      ...(notificationRetention === undefined ? [] : [past(notificationRetention)]),
    ];
  }
}
