/** Former settings, each with what to do instead. One that is still set ends the start: without it the service would do something else. */
export const ENDED_SETTINGS: Readonly<Record<string, string>> = {
  PROCESSES: 'start one process for each core (docs/operations.md)',
  COMPANY_NAME: 'set MAIL_FROM with the name, such as MAIL_FROM="Example Hosting <no-reply@example.com>"',
  DATABASE_POOL:
    'set it as connection_limit in DATABASE_URL, such as postgres://…/account?connection_limit=20',
  DRAIN_DELAY: 'leave it out, 5 s pass at a stop if TRUSTED_PROXIES is set (docs/operations.md)',
  RETENTION_AUDIT: 'set RETENTION=audit=…, or nothing for ever',
  RETENTION_NOTIFICATIONS: 'set RETENTION=notifications=…, or nothing for ever',
  RETENTION_INVITATIONS: 'set RETENTION=invitations=…, or nothing for ever',
  RETENTION_USAGE: 'leave it out, counts of calls stay for 400 days',
  AUDIT_RETENTION: 'set RETENTION=audit=…, or nothing for ever',
  NOTIFICATION_RETENTION: 'set RETENTION=notifications=…, or nothing for ever',
  INVITATION_RETENTION: 'set RETENTION=invitations=…, or nothing for ever',
  USAGE_RETENTION: 'leave it out, counts of calls stay for 400 days',
  DATABASE_POOLER:
    'set DATABASE_DIRECT_URL where DATABASE_URL leads to a pooler in transaction mode, and nothing with one in session mode',
};
