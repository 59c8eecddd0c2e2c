/** Former settings, each with what to do instead. One that is still set ends the start: without it the service would do something else. */
export const ENDED_SETTINGS: Readonly<Record<string, string>> = {
  PROCESSES: 'start one process for each core (docs/operations.md)',
  RETENTION_USAGE: 'leave it out, counts of calls stay for 400 days',
  AUDIT_RETENTION: 'set RETENTION_AUDIT',
  NOTIFICATION_RETENTION: 'set RETENTION_NOTIFICATIONS',
  INVITATION_RETENTION: 'set RETENTION_INVITATIONS',
  USAGE_RETENTION: 'leave it out, counts of calls stay for 400 days',
  DATABASE_POOLER:
    'set DATABASE_DIRECT_URL where DATABASE_URL leads to a pooler in transaction mode, and nothing with one in session mode',
};
