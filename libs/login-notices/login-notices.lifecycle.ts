import { Injectable } from '@nestjs/common';
import { UserRecords } from '@app/lifecycle/user-records';
import { CleanUp } from '@app/platform/jobs/clean-up';

@Injectable()
export class LoginNoticesCleanUp extends CleanUp {
  readonly statements = [`DELETE FROM login_notices WHERE logged_in_at < now() - interval '30 days'`];
}

@Injectable()
export class FirstLoginRecords extends UserRecords {
  readonly table = 'first_logins';
  readonly part = 'firstLogin';
  readonly about = 'That the person has logged in before: a mail tells of later logins from a new network.';
  protected readonly exported = `logged_in_at AS "loggedInAt"`;
}

@Injectable()
export class LoginNoticeRecords extends UserRecords {
  readonly table = 'login_notices';
  readonly part = 'loginNotices';
  readonly about =
    'Logins from a network that was new for the person, in the last 30 days, which a mail has told of.';
  protected readonly exported = `id, logged_in_at AS "loggedInAt", network::text AS network, address, country, os, browser,
    expires_at AS "expiresAt", ended_at AS "endedAt"`;
}
