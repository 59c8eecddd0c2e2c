import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';
import { User } from '@app/people/users/user.entity';
import type {
  DeliveryStatus,
  NotificationGroup,
  RecipientKind,
  RecipientStatus,
  RecipientType,
} from './notification.types';

/** An event in an organisation. Its contacts are notified of it. */
@Entity('notifications')
@Check(
  'notifications_group_known',
  `notification_group IN ('App', 'Crm', 'Domain', 'Finance', 'Mail', 'System')`,
)
@Check('notifications_params_are_object', `jsonb_typeof(params) = 'object'`)
@Check('notifications_status_known', 'status BETWEEN 0 AND 3')
@Index('notifications_of_organisation', ['organisationId', 'id'])
@Index('notifications_about_user', ['aboutUserId'], { where: 'about_user_id IS NOT NULL' })
@Index('notifications_queued', { synchronize: false })
@Index('notifications_written', ['organisationId'], { where: 'is_written' })
@Index('notifications_of_group', ['organisationId', 'group', 'id'])
@Index('notifications_of_invited', { synchronize: false })
export class Notification {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Organisation) organisationId!: number;
  @Column({ name: 'notification_group', type: 'varchar', length: 16 }) group!: NotificationGroup;
  @Column({ type: 'varchar', length: 255 }) type!: string;
  @Column({ type: 'varchar', length: 64 }) entityClass!: string;
  @Column({ type: 'integer' }) entityId!: number;

  /** The name of the subject at the time of the event. */
  @Column({ type: 'varchar', length: 255 }) entityName!: string;

  /** The user who caused it; null for the service itself and for people without an account. */
  @Column({ type: 'integer', nullable: true }) @ForeignKey(() => User) userId!: number | null;

  /** The user whose names the notification contains. They are erased with the user. */
  @Column({ type: 'integer', nullable: true }) aboutUserId!: number | null;

  /** Whether a user wrote it through the API. Such notifications count against the organisation's limit. */
  @Column({ type: 'boolean', default: false }) isWritten!: boolean;

  /** Whether jobs have written all recipients. */
  @Column({ type: 'boolean', default: true }) isExpanded!: boolean;
  @Column({ type: 'varchar', length: 255, nullable: true }) subject!: string | null;
  @Column({ type: 'jsonb', default: {} }) params!: Record<string, unknown>;

  /** Stored for other areas of the panel; 0: a separate mail for each recipient. */
  @Column({ type: 'integer', default: 0 }) sendMode!: number;

  /** Stored for other areas of the panel; 0: normal. */
  @Column({ type: 'integer', default: 0 }) priority!: number;

  /** A trigger derives it from the recipients. */
  @Column({ type: 'smallint', default: 0 }) status!: DeliveryStatus;

  @Column({
    type: 'text',
    array: true,
    nullable: true,
    comment: 'What the mails link to: {contactId} and {hash} are filled in for each recipient.',
  })
  linkTemplates!: string[] | null;

  @Column({ type: 'integer', comment: 'The customer who caused it: its mails wait in its line.' })
  customerId!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
}

/**
 * An address that a notification goes to, copied when the recipients are written. It is emptied
 * when its user is deleted.
 */
@Entity('notification_recipients')
@Check('notification_recipients_language_known', `language IN ('nl', 'en', 'fr')`)
@Check('notification_recipients_type_known', `type IN ('email', 'phone', 'slack')`)
@Check('notification_recipients_status_known', `status IN ('queued', 'sent', 'failed', 'skipped')`)
@Check('notification_recipients_kind_known', `kind IN ('contact', 'own', 'removed', 'invited')`)
@Index('notification_recipients_once', { synchronize: false })
@Index('notification_recipients_of_notification', ['notificationId', 'id'])
@Index('notification_recipients_waiting', ['queuedAt'], { where: "status = 'queued'" })
@Index('notification_recipients_queued', ['notificationId'], { where: "status = 'queued'" })
@Index('notification_recipients_unreleased', ['notificationId', 'id'], {
  where: "status = 'queued' AND queued_at IS NULL",
})
@Index('notification_recipients_of_user', ['userId'], { where: 'user_id IS NOT NULL' })
export class NotificationRecipient {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;

  @Column({ type: 'integer' })
  @ForeignKey(() => Notification, { onDelete: 'CASCADE' })
  notificationId!: number;

  /** The source of the address, possibly a deleted contact; null for an extra recipient. */
  @Column({ type: 'integer', nullable: true }) contactId!: number | null;
  @Column({ type: 'varchar', length: 8, default: 'contact' }) kind!: RecipientKind;

  /** The user to whom name and address belong. */
  @Column({ type: 'integer', nullable: true }) userId!: number | null;
  @Column({ type: 'varchar', length: 511 }) fullName!: string;
  @Column({ type: 'varchar', length: 2 }) language!: 'nl' | 'en' | 'fr';
  @Column({ type: 'varchar', length: 16 }) type!: RecipientType;

  /** E-mail address, phone number or Slack channel. */
  @Column({ type: 'varchar', length: 255 }) value!: string;
  @Column({ type: 'varchar', length: 16 }) status!: RecipientStatus;

  /** Why the delivery failed or a bound skipped it, otherwise empty. */
  @Column({ type: 'varchar', length: 255, default: '' }) message!: string;

  /** When the mail was released; null while it waits. */
  @Column({ type: 'timestamptz', nullable: true }) queuedAt!: Date | null;

  @Column({
    type: 'timestamptz',
    nullable: true,
    comment: 'A bound of an hour lets its mail leave no sooner.',
  })
  waitsUntil!: Date | null;

  @Column({
    type: 'boolean',
    default: false,
    comment:
      'Nobody of the organisation has shown that the address is theirs: its mail holds no text that a user chose.',
  })
  isRedacted!: boolean;

  @Column({
    type: 'text',
    nullable: true,
    comment: 'The address of a deleted user, encrypted while its mail waits.',
  })
  encrypted!: string | null;

  /** Identifies the delivery to third parties. It is not a secret. */
  @Column({ type: 'uuid' }) hash!: string;
  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
}
