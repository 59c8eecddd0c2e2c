import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isSuspended } from '@app/access/suspended';
import { Transactions } from '@app/core/database/transactions';
import { JobHandler, type RunningJob } from '@app/core/jobs/job-handler';
import { resetLink } from '@app/core/mail/links';
import type { OutgoingMail } from '@app/core/mail/mail.types';
import { Outbox } from '@app/core/mail/outbox';
import { digestOf, newNumericCode, newSecret } from '@app/core/secrets/digest';
import { SecretsKeyring } from '@app/core/secrets/encryption';
import { Settings } from '@app/core/settings/settings';
import type { Language } from '@app/users/languages';
import { recoveryAddressOf } from './recovery-address';
import { endRecovery, recoveryMailKey } from './recovery-ending';
import { CODE_DIGITS, CODE_PURPOSE, CODE_TTL } from './recovery.types';

/** The task that answers a wish for a recovery mail. */
export const WRITE_RECOVERY_MAIL = 'recovery.write';

/** What the job knows: deliberately not whether there is such a user. */
export interface RecoveryJob {
  readonly username: string;
  /** Of the process that was asked: another one may send the mail. Absent from an older build. */
  readonly link?: RecoveryLink;
}

/** What links are made of, and how many seconds they are good for. */
interface RecoveryLink {
  readonly template: string;
  readonly ttl: number;
}

export const recoveryLinkOf = ({ resetUrlTemplate, resetTtl }: Settings): RecoveryLink => ({
  template: resetUrlTemplate,
  ttl: resetTtl,
});

/** Mails for one user within an hour; more would only fill the mailbox of somebody whom a stranger annoys. */
const MAX_MAILS_AN_HOUR = 20;

interface Addressee {
  readonly id: number;
  readonly organisationId: number;
  readonly username: string;
  readonly firstName: string;
  readonly language: Language;
  readonly mayAsk: boolean;
}

/** The lock puts requests for one user, and changes of that user, one after the other. */
const ADDRESSEE = `
  SELECT u.id, u.organisation_id AS "organisationId", u.username, u.first_name AS "firstName", u.language,
    $2::timestamptz > now() - make_interval(secs => $3)
      AND (SELECT count(*) < $4 FROM recovery_requests r
        WHERE r.user_id = u.id AND r.created_at > now() - interval '1 hour') AS "mayAsk"
  FROM users u JOIN organisations o ON o.id = u.organisation_id AND o.deleted_at IS NULL
  WHERE lower(u.username) = lower($1) AND u.enabled AND u.deleted_at IS NULL AND NOT ${isSuspended('o.id')}
  FOR NO KEY UPDATE OF u`;

const INSERT = `
  INSERT INTO recovery_requests (user_id, token_digest, code_digest, expires_at, code_expires_at)
  VALUES ($1, $2, $3, now() + make_interval(secs => $4), now() + make_interval(secs => $5))
  RETURNING expires_at AS "expiresAt"`;

/** Makes token and code and queues the mail; for whoever has no account or address it does nothing. */
@Injectable()
export class RecoveryMailHandler extends JobHandler {
  readonly task = WRITE_RECOVERY_MAIL;

  constructor(
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly keyring: SecretsKeyring,
    private readonly settings: Settings,
  ) {
    super();
  }

  async run(payload: unknown, { queuedAt }: RunningJob): Promise<void> {
    const { username, link = recoveryLinkOf(this.settings) } = payload as RecoveryJob;
    await this.transactions.run(async (manager) => {
      const [user] = await manager.query<Addressee[]>(ADDRESSEE, [
        username,
        queuedAt,
        link.ttl,
        MAX_MAILS_AN_HOUR,
      ]);
      if (user?.mayAsk !== true) return;
      const to = await recoveryAddressOf(manager, user.id, user.username);
      if (to !== undefined) await this.write(manager, user, to, link);
    });
  }

  private async write(
    manager: EntityManager,
    user: Addressee,
    to: string,
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
    ]);
    const mail: OutgoingMail = {
      template: 'reset',
      to,
      language: user.language,
      values: {
        firstName: user.firstName,
        linkMinutes: String(Math.max(1, Math.floor(link.ttl / 60))),
        codeMinutes: String(CODE_TTL / 60),
      },
      secrets: { link: resetLink(link.template, token), code },
      expiresAt: request?.expiresAt,
      opens: user.organisationId,
    };
    await this.outbox.queue(manager, mail, recoveryMailKey(user.id));
  }
}
