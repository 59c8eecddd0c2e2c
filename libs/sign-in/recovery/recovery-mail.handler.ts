import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import type { OutgoingMail } from '@app/mail/mail.types';
import { linkFrom } from '@app/mail/mail-values';
import { Outbox } from '@app/mail/outbox';
import type { Language } from '@app/people/users/user.types';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { isSuspended } from '@app/security/access/access.queries';
import { digestOf, newNumericCode, newSecret } from '@app/security/secrets/digest';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { endRecovery, recoveryMailKey } from './recovery.lifecycle';
import { CODE_DIGITS, CODE_PURPOSE, CODE_TTL } from './recovery.types';
import {
  isNewName,
  type RecoveringUser,
  type RecoveryAddress,
  recoveryAddressOf,
} from './recovery-addresses';

/** The job that writes a requested recovery mail. */
export const WRITE_RECOVERY_MAIL = 'recovery.write';

/** The job does not reveal whether the user exists. */
export interface RecoveryJob {
  readonly username: string;
  /** From the process that served the request: another process may send the mail. */
  readonly link: RecoveryLink;
}

/** Template of links, and their lifetime in seconds. */
interface RecoveryLink {
  readonly template: string;
  readonly ttl: number;
}

export const recoveryLinkOf = ({ resetUrlTemplate, resetTtl }: Settings): RecoveryLink => ({
  template: resetUrlTemplate,
  ttl: resetTtl,
});

/** Maximum mails to one user within an hour, so that strangers cannot fill the mailbox. */
const MAX_MAILS_AN_HOUR = 20;

interface Addressee extends RecoveringUser {
  readonly organisationId: number;
  readonly firstName: string;
  readonly language: Language;
  readonly mayAsk: boolean;
}

/**
 * The lock serialises requests for one user with changes of that user. The last proved name of a user who
 * gave itself another one finds it too: its owner does not know the other.
 */
const ADDRESSEE = `
  SELECT u.id, u.organisation_id AS "organisationId", u.username, u.told_name AS "toldName",
    u.name_given_by AS "nameGivenBy", ${isNewName('u')} AS "isNewName", u.first_name AS "firstName", u.language,
    $2::timestamptz > now() - make_interval(secs => $3)
      AND (SELECT count(*) < $4 FROM recovery_requests r
        WHERE r.user_id = u.id AND r.created_at > now() - interval '1 hour') AS "mayAsk"
  FROM users u JOIN organisations o ON o.id = u.organisation_id AND o.deleted_at IS NULL
  WHERE (fold_case(u.username) = fold_case($1)
      OR (fold_case(u.told_name) = fold_case($1) AND u.told_name <> '' AND u.name_given_by = 'self'))
    AND u.enabled AND u.deleted_at IS NULL AND NOT ${isSuspended('o.id')}
  ORDER BY fold_case(u.username) = fold_case($1) DESC LIMIT 1
  FOR NO KEY UPDATE OF u`;

const INSERT = `
  INSERT INTO recovery_requests (user_id, token_digest, code_digest, expires_at, code_expires_at, proves_name)
  VALUES ($1, $2, $3, now() + make_interval(secs => $4), now() + make_interval(secs => $5), $6)
  RETURNING expires_at AS "expiresAt"`;

/**
 * Creates token and code and queues the mail. Does nothing if the user or the e-mail address does not exist.
 */
@Injectable()
export class RecoveryMailHandler extends JobHandler {
  readonly task = WRITE_RECOVERY_MAIL;

  constructor(
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly keyring: SecretsKeyring,
  ) {
    super();
  }

  async run(payload: unknown, { ctx, queuedAt }: RunningJob): Promise<void> {
    const { username, link } = payload as RecoveryJob;
    await this.transactions.run(ctx, async (manager) => {
      const [user] = await manager.query<Addressee[]>(ADDRESSEE, [
        username,
        queuedAt,
        link.ttl,
        MAX_MAILS_AN_HOUR,
      ]);
      if (user?.mayAsk !== true) return;
      const to = await recoveryAddressOf(manager, user);
      if (to !== undefined) await this.write(manager, user, to, link);
    });
  }

  private async write(
    manager: EntityManager,
    user: Addressee,
    to: RecoveryAddress,
    link: RecoveryLink,
  ): Promise<void> {
    const token = newSecret();
    const code = newNumericCode(CODE_DIGITS);
    await endRecovery(manager, [user.id]);
    const [request] = await manager.query<{ expiresAt: Date }[]>(INSERT, [
      user.id,
      digestOf(token),
      this.keyring.hmac(CODE_PURPOSE, `${user.id}:${code}`),
      link.ttl,
      CODE_TTL,
      to.isUsername,
    ]);
    const mail: OutgoingMail = {
      template: 'reset',
      to: to.value,
      userId: user.id,
      language: user.language,
      values: {
        // An unproved address may be a stranger's.
        firstName: to.isProved ? user.firstName : '',
        linkMinutes: String(Math.max(1, Math.floor(link.ttl / 60))),
        codeMinutes: String(CODE_TTL / 60),
      },
      secrets: { link: linkFrom(link.template, { token }), code },
      expiresAt: request?.expiresAt,
      opens: user.organisationId,
    };
    const { organisationId } = user;
    await this.outbox.queue(manager, { ...mail, organisationId }, recoveryMailKey(user.id));
  }
}
