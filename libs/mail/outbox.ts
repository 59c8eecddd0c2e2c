import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { isPlainEmailAddress } from '@app/formats/email-address';
import { queueJob, withdrawJobs } from '@app/platform/jobs/queue-job';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { MAIL_PRIORITIES, type MailContent, mailContext, type OutgoingMail, SEND_MAIL } from './mail.types';
import { type MailOrigin, originOf } from './sender';

/** A waiting mail, as stored in its job. */
export interface MailPayload extends Pick<
  OutgoingMail,
  'template' | 'to' | 'language' | 'chargedTo' | 'pot' | 'opens' | 'settles' | 'deletedUserId' | 'ends'
> {
  /** Random. The encryption of the secrets depends on it, and the Message-ID contains it. */
  readonly mailId: string;
  readonly values: Readonly<Record<string, string>>;
  /** The secrets as sealed JSON, with the address of a deleted user, whose `to` is empty. */
  readonly sealed?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  readonly origin?: MailOrigin;
}

/** Mails are jobs, written in the transaction that causes them. */
@Injectable()
export class Outbox {
  constructor(
    private readonly keyring: SecretsKeyring,
    private readonly settings: Settings,
  ) {}

  /** Any worker sends the mail soon after the commit. It replaces a waiting mail with the same key. */
  async queue(manager: EntityManager, mail: OutgoingMail, key?: string): Promise<void> {
    if (!isPlainEmailAddress(mail.to))
      throw new Error(`A ${mail.template} mail has no plain e-mail address to go to`);
    const payload = sealedPayload(this.keyring, randomUUID(), mail, originOf(this.settings));
    const priority = MAIL_PRIORITIES[mail.template];
    await queueJob(manager, { task: SEND_MAIL, payload, priority, ...(key !== undefined && { key }) });
  }

  /** Removes mails that still wait. */
  async withdraw(manager: EntityManager, keys: readonly string[]): Promise<void> {
    await withdrawJobs(manager, keys);
  }
}

/** The stored form of a mail, with encrypted secrets. */
export function sealedPayload(
  keyring: SecretsKeyring,
  mailId: string,
  mail: OutgoingMail,
  origin: MailOrigin,
): MailPayload {
  const { template, to, language, values, expiresAt, chargedTo, pot, opens, settles, deletedUserId, ends } =
    mail;
  const secrets = 'secrets' in mail ? mail.secrets : {};
  const sealed = deletedUserId === undefined ? secrets : { ...secrets, to };
  return {
    mailId,
    template,
    to: deletedUserId === undefined ? to : '',
    language,
    values,
    origin,
    ...(Object.keys(sealed).length > 0 && {
      sealed: keyring.encrypt(JSON.stringify(sealed), mailContext(mailId)),
    }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt.toISOString() }),
    ...(chargedTo !== undefined && { chargedTo }),
    ...(pot !== undefined && { pot }),
    ...(opens !== undefined && { opens }),
    ...(settles !== undefined && { settles }),
    ...(deletedUserId !== undefined && { deletedUserId }),
    ...(ends !== undefined && { ends }),
  };
}

/** Address and content of a stored mail, with decrypted secrets. Throws `UnreadableSecret`. */
export function openedMail(
  keyring: SecretsKeyring,
  { template, to: storedAddress, values, sealed, mailId, ends }: MailPayload,
): { readonly to: string; readonly content: MailContent } {
  const opened =
    sealed === undefined ? {} : (JSON.parse(keyring.decrypt(sealed, mailContext(mailId))) as Opened);
  const { to = storedAddress, ...secrets } = opened;
  // Another build may have queued the mail. Rendering notices a missing value.
  return { to, content: { template, values: { ...values, ...secrets }, ends } as MailContent };
}

interface Opened {
  readonly to?: string;
}
