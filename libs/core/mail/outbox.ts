import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { queueJob, withdrawJobs } from '../jobs/queue-job';
import { SecretsKeyring } from '../secrets/encryption';
import { isPlainEmailAddress } from '../text/email-address';
import { sealedPayload } from './mail-payload';
import { MAIL_PRIORITIES, missingValue, type OutgoingMail } from './mail.types';

/** The task that sends one mail. */
export const SEND_MAIL = 'mail.send';

/** Where mails wait: each is a job of the transaction that causes it. */
@Injectable()
export class Outbox {
  constructor(private readonly keyring: SecretsKeyring) {}

  /**
   * Sent soon after the commit, by whichever worker is free. A mail of the same key that still waits is replaced.
   * Throws for a mail that could never be sent.
   */
  async queue(manager: EntityManager, mail: OutgoingMail, key?: string): Promise<void> {
    if (!isPlainEmailAddress(mail.to))
      throw new Error(`A ${mail.template} mail has no plain address to go to`);
    const missing = missingValue(mail);
    if (missing !== undefined) throw new Error(`A ${mail.template} mail lacks its ${missing}`);
    const payload = sealedPayload(this.keyring, randomUUID(), mail);
    const priority = MAIL_PRIORITIES[mail.template];
    await queueJob(manager, { task: SEND_MAIL, payload, priority, ...(key !== undefined && { key }) });
  }

  /** Takes back a mail that still waits: what it offers has ended. */
  async withdraw(manager: EntityManager, key: string): Promise<void> {
    await withdrawJobs(manager, [key]);
  }
}
