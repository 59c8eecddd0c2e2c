import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import type { OutgoingMail } from '@app/mail/mail.types';
import { linkFrom } from '@app/mail/mail-values';
import { Outbox } from '@app/mail/outbox';
import { type Mailbox, mailboxOf } from '@app/people/users/mailboxes';
import { hasName } from '@app/people/users/unavailable-names';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { isSuspended } from '@app/security/access/access.queries';
import { digestOf, newNumericCode, newSecret } from '@app/security/secrets/digest';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { type Bucket, Throttler } from '@app/security/throttling/throttler';
import { isNetworkKnown } from '@app/sign-in/auth/known-clients';
import { CODE_DIGITS, CODE_PURPOSE, CODE_TTL } from './recovery.types';
import { requestMailKey } from './recovery-requests';

/** The job that writes a requested recovery mail. */
export const WRITE_RECOVERY_MAIL = 'recovery.write';

/** The job does not reveal whether the user exists. */
export interface RecoveryJob {
  readonly username: string;
  /** Where it was asked for, as `networkOf` has it. */
  readonly network: string;
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

/**
 * Maximum mails to one user within an hour, so that strangers cannot fill the mailbox. Each known network of
 * the user has as many of its own, so that strangers cannot use up those of the owner.
 */
const MAX_MAILS_AN_HOUR = 20;
const HOUR = 3600;

interface Addressee {
  readonly id: number;
  readonly organisationId: number;
  readonly organisation: string;
  readonly isNetworkKnown: boolean;
}

/**
 * The lock serialises requests for one user with changes of that user. The former name finds it too: its
 * owner may not know the present one.
 */
const ADDRESSEE = `
  SELECT u.id, u.organisation_id AS "organisationId", o.name AS organisation,
    ${isNetworkKnown('u.id', '$4')} AS "isNetworkKnown"
  FROM users u JOIN organisations o ON o.id = u.organisation_id AND o.deleted_at IS NULL
  WHERE ${hasName('u', '$1')} AND $2::timestamptz > now() - make_interval(secs => $3)
    AND u.enabled AND u.deleted_at IS NULL AND NOT ${isSuspended('o.id')}
  FOR NO KEY UPDATE OF u`;

const INSERT = `
  INSERT INTO recovery_requests (user_id, username, token_digest, code_digest, expires_at, code_expires_at)
  VALUES ($1, $6, $2, $3, now() + make_interval(secs => $4), now() + make_interval(secs => $5))
  RETURNING expires_at AS "expiresAt"`;

/**
 * Creates token and code and queues the mail, in place of one that still waits. Older links stay open: a
 * stranger who asks ends none of the owner. Does nothing if the user or the e-mail address does not exist.
 */
@Injectable()
export class RecoveryMailHandler extends JobHandler {
  readonly task = WRITE_RECOVERY_MAIL;

  constructor(
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly keyring: SecretsKeyring,
    private readonly throttler: Throttler,
  ) {
    super();
  }

  async run(payload: unknown, { ctx, queuedAt }: RunningJob): Promise<void> {
    const { username, network, link } = payload as RecoveryJob;
    await this.transactions.run(ctx, async (manager) => {
      const [user] = await manager.query<Addressee[]>(ADDRESSEE, [username, queuedAt, link.ttl, network]);
      if (user === undefined) return;
      const mailbox = await mailboxOf(manager, user.id);
      const { address: to, recovers } = mailbox;
      if (to === undefined || !recovers) return;
      const bucket: Bucket = ['recovery mails', user.id, ...(user.isNetworkKnown ? [network] : [])];
      if ((await this.throttler.countWithin(manager, [{ bucket, most: MAX_MAILS_AN_HOUR }], HOUR)) > 0)
        return;
      await this.write(manager, user, { ...mailbox, to }, link);
    });
  }

  private async write(
    manager: EntityManager,
    user: Addressee,
    { to, name, isVerified, fullName, language }: Mailbox & { readonly to: string },
    link: RecoveryLink,
  ): Promise<void> {
    const token = newSecret();
    const code = newNumericCode(CODE_DIGITS);
    const [request] = await manager.query<{ expiresAt: Date }[]>(INSERT, [
      user.id,
      digestOf(token),
      this.keyring.hmac(CODE_PURPOSE, `${user.id}:${code}`),
      link.ttl,
      CODE_TTL,
      name,
    ]);
    const mail: OutgoingMail = {
      template: 'reset',
      to,
      userId: user.id,
      language,
      values: {
        // An unverified address may be a stranger's.
        ...(isVerified
          ? { fullName, username: name, organisation: user.organisation }
          : { fullName: '', username: '', organisation: '' }),
        linkMinutes: String(Math.max(1, Math.floor(link.ttl / 60))),
        codeMinutes: String(CODE_TTL / 60),
      },
      secrets: { link: linkFrom(link.template, { token }), code },
      expiresAt: request?.expiresAt,
      opens: user.organisationId,
    };
    const { organisationId } = user;
    await this.outbox.queue(manager, { ...mail, organisationId }, requestMailKey('reset', user.id));
  }
}
