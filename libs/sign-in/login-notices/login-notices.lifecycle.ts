import { userCredentials, userTable } from '@app/lifecycle/table-rules';

export const FIRST_LOGIN_RULES = userTable('first_logins', {
  part: 'firstLogin',
  about: 'That the person has logged in before: a mail tells of later logins from a new network.',
  exported: `logged_in_at AS "loggedInAt"`,
});

export const LOGIN_NOTICE_RULES = userCredentials('login_notices', {
  part: 'loginNotices',
  personalTexts: 'network address country os browser',
  about: 'Logins from a network that was new for the person, in the last 30 days, which a mail has told of.',
  exported: `id, logged_in_at AS "loggedInAt", network::text AS network, address, country, os, browser,
    expires_at AS "expiresAt", ended_at AS "endedAt"`,
  outdated: `logged_in_at < now() - interval '30 days'`,
  afterRestore: 'a link only ends its login, and those of the backup have ended',
});
