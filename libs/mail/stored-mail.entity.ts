import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { NewsEnd } from './address-news.types';
import type { MailLanguage, MailReference, MailTemplate } from './mail.types';
import type { MailPot } from './mail-budget';
import type { MailOrigin } from './sender';

/**
 * A mail that waits to be sent, other than those of notifications. The job that sends it names it alone, so
 * that names, addresses and texts stand here, where an export and an erasure find them. It goes when it was
 * sent.
 */
@Entity('mails')
@Check('mails_charged_to_a_pot', '(charged_to IS NULL) = (pot IS NULL)')
@Check('mails_ends_news_known', `ends_news IN ('accounts', 'all', 'kind')`)
@Check('mails_language_known', `language IN ('nl', 'en', 'fr')`)
@Check('mails_pot_known', `pot IN ('accounts', 'alarms', 'rest')`)
@Check('mails_settles_known', `settles IN ('recipient', 'invitation')`)
@Check('mails_wait_for_a_budget', 'queued_at IS NOT NULL OR charged_to IS NOT NULL')
@Index('mails_held', ['chargedTo', 'pot', 'id'], { where: 'queued_at IS NULL' })
@Index('mails_of_key', ['mailKey'], { where: 'mail_key IS NOT NULL' })
@Index('mails_of_invitations', ['settlesId'], { where: "settles = 'invitation'" })
export class StoredMail {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;

  @Column({
    type: 'uuid',
    comment: 'Random. The Message-ID has it at every try, and the encryption of the secrets depends on it.',
  })
  messageId!: string;

  @Column({
    type: 'varchar',
    length: 64,
    nullable: true,
    comment: 'A new mail replaces waiting ones with this key.',
  })
  mailKey!: string | null;

  @Column({ type: 'varchar', length: 32 }) template!: MailTemplate;

  @Column({
    type: 'varchar',
    length: 255,
    comment: 'Empty for a deleted user, whose address is sealed.',
  })
  address!: string;

  @Column({ type: 'varchar', length: 2 }) language!: MailLanguage;

  /** The values in its text, without the secrets. */
  @Column({ type: 'jsonb' }) texts!: Record<string, string>;

  @Column({
    type: 'text',
    nullable: true,
    comment: 'Links, codes and the address of a deleted user.',
  })
  sealed!: string | null;

  @Column({
    type: 'jsonb',
    comment: 'Where its links lead, as set in the process that wrote it.',
  })
  origin!: MailOrigin;

  /** After this time, by the database's clock, it is dropped. */
  @Column({ type: 'timestamptz', nullable: true }) expiresAt!: Date | null;

  @Column({
    type: 'integer',
    nullable: true,
    comment: 'The organisation that its link leads to: the mail waits while that is suspended.',
  })
  opens!: number | null;

  @Column({
    type: 'integer',
    nullable: true,
    comment: 'The organisation whose hourly budget it counts on.',
  })
  chargedTo!: number | null;

  @Column({ type: 'varchar', length: 8, nullable: true }) pot!: MailPot | null;

  @Column({
    type: 'varchar',
    length: 16,
    nullable: true,
    comment: 'What has its outcome as its status.',
  })
  settles!: MailReference['kind'] | null;

  @Column({ type: 'integer', nullable: true }) settlesId!: number | null;

  @Column({
    type: 'integer',
    nullable: true,
    comment: 'The user to whom it is written: an erasure of the user withdraws it.',
  })
  userId!: number | null;

  @Column({
    type: 'varchar',
    length: 8,
    nullable: true,
    comment: 'The mail is the last one of its hour to the address.',
  })
  endsNews!: NewsEnd | null;

  @Column({
    type: 'integer',
    nullable: true,
    comment: 'The organisation whose people it is written to: it carries its brand.',
  })
  brandOf!: number | null;

  /** When its job was written; null while it waits for the hourly budget of the organisation. */
  @Column({ type: 'timestamptz', nullable: true }) queuedAt!: Date | null;
  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
}
