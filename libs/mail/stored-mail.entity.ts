import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { MailLanguage, MailReference, MailTemplate } from './mail.types';
import type { MailOrigin } from './sender';

/**
 * A mail that waits to be sent, other than those of notifications. The job that sends it names it alone, so
 * that names, addresses and texts stand here, where an export and an erasure find them. It goes when it was
 * sent.
 */
@Entity('mails')
@Check('mails_language_known', `language IN ('nl', 'en', 'fr')`)
@Check('mails_outcome_of_known', `outcome_of IN ('recipient', 'invitation')`)
@Check('mails_wait_in_a_line', 'queued_at IS NOT NULL OR customer_id IS NOT NULL')
@Index('mails_unreleased', ['customerId', 'id'], { where: 'queued_at IS NULL' })
@Index('mails_of_key', ['mailKey'], { where: 'mail_key IS NOT NULL' })
@Index('mails_of_invitations', ['outcomeOfId'], { where: "outcome_of = 'invitation'" })
export class StoredMail {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;

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

  @Column({ type: 'varchar', length: 255 }) address!: string;

  @Column({ type: 'varchar', length: 2 }) language!: MailLanguage;

  /** The values in its text, without the secrets. */
  @Column({ type: 'jsonb' }) texts!: Record<string, string>;

  @Column({
    type: 'text',
    nullable: true,
    comment: 'Links and codes.',
  })
  encrypted!: string | null;

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
    comment: 'The customer who caused it: it waits in its line. Null: it is sent at once.',
  })
  customerId!: number | null;

  @Column({
    type: 'varchar',
    length: 16,
    nullable: true,
    comment: 'What has its outcome as its status.',
  })
  outcomeOf!: MailReference['kind'] | null;

  @Column({ type: 'integer', nullable: true }) outcomeOfId!: number | null;

  @Column({
    type: 'integer',
    nullable: true,
    comment: 'The user to whom it is written: an erasure of the user withdraws it.',
  })
  userId!: number | null;

  @Column({
    type: 'integer',
    nullable: true,
    comment: 'The organisation whose people it is written to: it carries its brand.',
  })
  brandOf!: number | null;

  /** When its job was written; null while it waits to be released. */
  @Column({ type: 'timestamptz', nullable: true }) queuedAt!: Date | null;

  @Column({
    type: 'timestamptz',
    nullable: true,
    comment: 'A bound of an hour, or a suspended organisation, lets it leave no sooner.',
  })
  waitsUntil!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
}
