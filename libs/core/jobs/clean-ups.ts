/**
 * What the worker clears away every five minutes, in the order of the domains. Whether something still counts is
 * judged where it is used; these only keep tables small, so each may be late or missing.
 */
export const CLEAN_UPS: readonly string[] = [
  // A worker that was killed leaves its jobs locked. No job takes a quarter of an hour (SMTP gives up in a minute).
  `SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by)) FROM graphile_worker.jobs
   WHERE locked_at < now() - interval '15 minutes'`,
  // Jobs that failed for good are kept a month for whoever looks into it.
  `SELECT count(*) FROM graphile_worker.complete_jobs((SELECT coalesce(array_agg(id), '{}') FROM graphile_worker.jobs
   WHERE attempts >= max_attempts AND updated_at < now() - interval '30 days'))`,
  // Counts in use are left for the next time: waiting for them out of their order could be a deadlock.
  `DELETE FROM attempts WHERE bucket IN (
     SELECT bucket FROM attempts WHERE resets_at < now() FOR UPDATE SKIP LOCKED)`,
  `DELETE FROM logins WHERE expires_at < now()`,
  `DELETE FROM trusted_devices WHERE expires_at < now()`,
  // For three months an old link is told "expired", after that "unknown".
  `DELETE FROM recovery_requests WHERE expires_at < now() - interval '90 days'`,
  // No delivery is tried for three days: the last try of this one was killed before it could say what became of it.
  `UPDATE notification_recipients SET status = 'failed'
   WHERE status = 'queued' AND created_at < now() - interval '3 days'`,
];
