import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { isPlainEmailAddress } from '@app/formats/email-address';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import {
  type ForPeopleOf,
  MAIL_PRIORITIES,
  type MailContent,
  mailContext,
  type MailTemplate,
  type OutgoingMail,
} from './mail.types';
import { queueMail, releaseSoon } from './mail-jobs';
import { originOf } from './sender';
import type { StoredMail } from './stored-mail.entity';

/** What a mail says, as stored. */
export type StoredContent = Pick<
  StoredMail,
  'template' | 'address' | 'texts' | 'sealed' | 'messageId' | 'endsNews'
>;

const INSERT = `
  INSERT INTO mails (message_id, mail_key, template, address, language, texts, sealed, origin, expires_at, opens,
    charged_to, pot, settles, settles_id, user_id, ends_news, brand_of, queued_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::integer, $12, $13, $14, $15, $16, $17,
    CASE WHEN $11::integer IS NULL THEN now() END)
  RETURNING id`;

/** Mails are stored in the transaction that causes them, with the job that sends them. */
@Injectable()
export class Outbox {
  constructor(
    private readonly keyring: SecretsKeyring,
    private readonly settings: Settings,
  ) {}

  /**
   * Any worker sends the mail soon after the commit; one that counts on a budget, as soon as that allows. It
   * replaces a waiting mail with the same key.
   */
  async queue(manager: EntityManager, mail: OutgoingMail & ForPeopleOf, key?: string): Promise<void> {
    if (!isPlainEmailAddress(mail.to))
      throw new Error(`A ${mail.template} mail has no plain e-mail address to go to`);
    if (key !== undefined) await withdrawMails(manager, [key]);
    const { language, expiresAt, opens, settles, userId, deletedUserId, chargedTo: organisationId } = mail;
    const { messageId, template, address, texts, sealed, endsNews } = storedContent(
      this.keyring,
      randomUUID(),
      mail,
    );
    const pot = organisationId === undefined ? null : (mail.pot ?? 'rest');
    const [{ id }] = await manager.query<[{ id: number }]>(INSERT, [
      messageId,
      key ?? null,
      template,
      address,
      language,
      JSON.stringify(texts),
      sealed,
      JSON.stringify(originOf(this.settings)),
      expiresAt ?? null,
      opens ?? null,
      organisationId ?? null,
      pot,
      settles?.kind ?? null,
      settles?.id ?? null,
      deletedUserId ?? userId ?? null,
      endsNews,
      mail.organisationId,
    ]);
    if (organisationId !== undefined && pot !== null)
      await releaseSoon(manager, { source: 'stored', organisationId, pot });
    else {
      const priority = MAIL_PRIORITIES[template];
      await queueMail(manager, { source: 'stored', id }, { priority, ...(key !== undefined && { key }) });
    }
  }
}

/** Removes mails that still wait. One that is being sent is not sent again. */
export async function withdrawMails(manager: EntityManager, keys: readonly string[]): Promise<void> {
  await manager.query('SELECT withdraw_mails($1::text[])', [keys]);
}

/** Removes waiting mails of some kinds. Returns their number. */
export async function withdrawTemplates(
  manager: EntityManager,
  templates: readonly MailTemplate[],
): Promise<number> {
  const [, count] = await manager.query<[unknown, number]>(
    'DELETE FROM mails WHERE template = ANY ($1::text[])',
    [templates],
  );
  return count;
}

/** The stored form of what a mail says, with encrypted secrets. */
export function storedContent(
  keyring: SecretsKeyring,
  messageId: string,
  { template, to, values, deletedUserId, ends, ...mail }: OutgoingMail,
): StoredContent {
  const secrets = 'secrets' in mail ? mail.secrets : {};
  const sealed = deletedUserId === undefined ? secrets : { ...secrets, to };
  return {
    messageId,
    template,
    address: deletedUserId === undefined ? to : '',
    texts: values,
    sealed:
      Object.keys(sealed).length > 0 ? keyring.encrypt(JSON.stringify(sealed), mailContext(messageId)) : null,
    endsNews: ends ?? null,
  };
}

/** Address and content of a stored mail, with decrypted secrets. Throws `UnreadableSecret`. */
export function openedMail(
  keyring: SecretsKeyring,
  { template, address, texts, sealed, messageId, endsNews }: StoredContent,
): { readonly to: string; readonly content: MailContent } {
  const opened =
    sealed === null ? {} : (JSON.parse(keyring.decrypt(sealed, mailContext(messageId))) as Opened);
  const { to = address, ...secrets } = opened;
  // Another build may have queued the mail. Rendering notices a missing value.
  const content = {
    template,
    values: { ...texts, ...secrets },
    ...(endsNews !== null && { ends: endsNews }),
  };
  return { to, content: content as MailContent };
}

interface Opened {
  readonly to?: string;
}
