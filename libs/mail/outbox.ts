import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { queueJob, withdrawJobs } from '@app/platform/jobs/queue-job';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { isPlainEmailAddress } from '@app/platform/dto/text-rules';
import { MAIL_PRIORITIES, type MailContent, mailContext, type OutgoingMail, SEND_MAIL } from './mail.types';

/** A waiting mail, as stored in its job. */
export interface MailPayload extends Pick<
  OutgoingMail,
  'template' | 'to' | 'language' | 'chargedTo' | 'opens' | 'settles'
> {
  /** Random. The encryption of the secrets depends on it, and the Message-ID contains it. */
  readonly mailId: string;
  readonly values: Readonly<Record<string, string>>;
  /** The secrets as sealed JSON. */
  readonly sealed?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
}

/** Mails are jobs, written in the transaction that causes them. */
@Injectable()
export class Outbox {
  constructor(private readonly keyring: SecretsKeyring) {}

  /** Any worker sends the mail soon after the commit. It replaces a waiting mail with the same key. */
  async queue(manager: EntityManager, mail: OutgoingMail, key?: string): Promise<void> {
    if (!isPlainEmailAddress(mail.to))
      throw new Error(`A ${mail.template} mail has no plain e-mail address to go to`);
    const payload = sealedPayload(this.keyring, randomUUID(), mail);
    const priority = MAIL_PRIORITIES[mail.template];
    await queueJob(manager, { task: SEND_MAIL, payload, priority, ...(key !== undefined && { key }) });
  }

  /** Removes a mail that still waits. */
  async withdraw(manager: EntityManager, key: string): Promise<void> {
    await withdrawJobs(manager, [key]);
  }
}

/** The stored form of a mail, with encrypted secrets. */
export function sealedPayload(keyring: SecretsKeyring, mailId: string, mail: OutgoingMail): MailPayload {
  const { template, to, language, values, expiresAt, chargedTo, opens, settles } = mail;
  return {
    mailId,
    template,
    to,
    language,
    values,
    ...('secrets' in mail && {
      sealed: keyring.encrypt(JSON.stringify(mail.secrets), mailContext(mailId)),
    }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt.toISOString() }),
    ...(chargedTo !== undefined && { chargedTo }),
    ...(opens !== undefined && { opens }),
    ...(settles !== undefined && { settles }),
  };
}

/** The content of a stored mail, with decrypted secrets. Throws `UnreadableSecret`. */
export function openedContent(keyring: SecretsKeyring, payload: MailPayload): MailContent {
  const { template, values, sealed, mailId } = payload;
  const secrets =
    sealed === undefined ? {} : (JSON.parse(keyring.decrypt(sealed, mailContext(mailId))) as object);
  // Another build may have queued the mail. Rendering notices a missing value.
  return { template, values: { ...values, ...secrets } } as MailContent;
}
