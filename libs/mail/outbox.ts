import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { Settings } from '@app/config/settings';
import { isPlainEmailAddress } from '@app/formats/email-address';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import {
  AT_ONCE,
  type ForPeopleOf,
  MAIL_PRIORITIES,
  type MailContent,
  mailContext,
  type MailTemplate,
  type OutgoingMail,
} from './mail.types';
import { queueMail, releaseSoon } from './mail-jobs';
import { originOf } from './sender';
import { StoredMail } from './stored-mail.entity';

/** What a mail says, as stored. */
export type StoredContent = Pick<StoredMail, 'template' | 'address' | 'texts' | 'encrypted' | 'messageId'>;

const INSERT = `
  INSERT INTO mails (message_id, mail_key, template, address, language, texts, encrypted, origin, expires_at, opens,
    outcome_of, outcome_of_id, user_id, brand_of, customer_id, queued_at)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, acting.customer,
    CASE WHEN acting.customer IS NULL THEN now() END
  FROM (SELECT CASE WHEN NOT $15::boolean THEN acting_customer($14) END) acting (customer)
  RETURNING id, customer_id AS "customerId"`;

/** Mails are stored in the transaction that causes them, with the job that sends them. */
@Injectable()
export class Outbox {
  constructor(
    private readonly keyring: SecretsKeyring,
    private readonly settings: Settings,
  ) {}

  /**
   * Any worker sends the mail soon after the commit; one that is not sent `AT_ONCE`, as the bounds let it. It
   * replaces a waiting mail with the same key.
   */
  async queue(manager: EntityManager, mail: OutgoingMail & ForPeopleOf, key?: string): Promise<void> {
    if (!isPlainEmailAddress(mail.to))
      throw new Error(`A ${mail.template} mail has no plain e-mail address to go to`);
    if (key !== undefined) await withdrawMails(manager, [key]);
    const { language, expiresAt, opens, outcomeOf, userId, organisationId } = mail;
    const { messageId, template, address, texts, encrypted } = storedContent(
      this.keyring,
      randomUUID(),
      mail,
    );
    const [{ id, customerId }] = await manager.query<[{ id: number; customerId: number | null }]>(INSERT, [
      messageId,
      key ?? null,
      template,
      address,
      language,
      JSON.stringify(texts),
      encrypted,
      JSON.stringify(originOf(this.settings)),
      expiresAt ?? null,
      opens ?? null,
      outcomeOf?.kind ?? null,
      outcomeOf?.id ?? null,
      userId ?? null,
      organisationId,
      AT_ONCE.has(template),
    ]);
    const priority = MAIL_PRIORITIES[template];
    if (customerId !== null) return releaseSoon(manager, customerId, priority);
    await queueMail(manager, { source: 'stored', id }, { priority, ...(key !== undefined && { key }) });
  }
}

const WITHDRAW = `SELECT withdraw_mails($1::text[])`;

/** Removes mails that still wait. One that is being sent is not sent again. */
export async function withdrawMails(manager: EntityManager, keys: readonly string[]): Promise<void> {
  await manager.query(WITHDRAW, [keys]);
}

/** Removes waiting mails of some kinds. Returns their number. */
export async function withdrawTemplates(
  manager: EntityManager,
  templates: readonly MailTemplate[],
): Promise<number> {
  const { affected } = await manager.delete(StoredMail, { template: In([...templates]) });
  return affected ?? 0;
}

/** The stored form of what a mail says, with encrypted secrets. */
export function storedContent(
  keyring: SecretsKeyring,
  messageId: string,
  { template, to: address, values, ...mail }: OutgoingMail,
): StoredContent {
  const secrets = 'secrets' in mail ? mail.secrets : {};
  return {
    messageId,
    template,
    address,
    texts: values,
    encrypted:
      Object.keys(secrets).length > 0
        ? keyring.encrypt(JSON.stringify(secrets), mailContext(messageId))
        : null,
  };
}

/** Address and content of a stored mail, with decrypted secrets. Throws `UnreadableSecret`. */
export function openedMail(
  keyring: SecretsKeyring,
  { template, address: to, texts, encrypted, messageId }: StoredContent,
): { readonly to: string; readonly content: MailContent } {
  const opened = encrypted === null ? '{}' : keyring.decrypt(encrypted, mailContext(messageId));
  const secrets = JSON.parse(opened) as object;
  // Another build may have queued the mail. Rendering notices a missing value.
  return { to, content: { template, values: { ...texts, ...secrets } } as MailContent };
}
