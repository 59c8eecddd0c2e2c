import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Notification } from './notification.entity';
import type { RecipientKind, RecipientStatus, RecipientType } from './notification.types';

/** An address that a notification goes to, as it was when the recipients were written; empty once its user is deleted. */
@Entity('notification_recipients')
@Check('notification_recipients_language_known', `language IN ('nl', 'en', 'fr')`)
@Check('notification_recipients_type_known', `type IN ('email', 'phone', 'slack')`)
@Check('notification_recipients_status_known', `status IN ('queued', 'sent', 'failed', 'skipped')`)
@Check('notification_recipients_kind_known', `kind IN ('contact', 'own', 'gone', 'invited')`)
@Index('notification_recipients_once', { synchronize: false })
@Index('notification_recipients_of_notification', ['notificationId', 'id'])
@Index('notification_recipients_waiting', ['queuedAt'], { where: "status = 'queued'" })
@Index('notification_recipients_held', ['notificationId', 'id'], {
  where: "status = 'queued' AND queued_at IS NULL",
})
@Index('notification_recipients_of_user', ['userId'], { where: 'user_id IS NOT NULL' })
export class NotificationRecipient {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'notification_recipients_pkey',
  })
  id!: number;

  @Column({ name: 'notification_id', type: 'integer' })
  @ForeignKey(() => Notification, {
    name: 'notification_recipients_notification_exists',
    onDelete: 'CASCADE',
  })
  notificationId!: number;

  /** The contact that the address was taken from, which may be gone since; null: an extra recipient. */
  @Column({ name: 'contact_id', type: 'integer', nullable: true })
  contactId!: number | null;

  @Column({ type: 'varchar', length: 8, default: 'contact' })
  kind!: RecipientKind;

  /** The user whose name and address these are. */
  @Column({ name: 'user_id', type: 'integer', nullable: true })
  userId!: number | null;

  @Column({ name: 'full_name', type: 'varchar', length: 511 })
  fullName!: string;

  @Column({ type: 'varchar', length: 2 })
  language!: 'nl' | 'en' | 'fr';

  @Column({ type: 'varchar', length: 16 })
  type!: RecipientType;

  /** The address itself: e-mail address, phone number or Slack channel. */
  @Column({ type: 'varchar', length: 255 })
  value!: string;

  @Column({ type: 'varchar', length: 16 })
  status!: RecipientStatus;

  /** Why the delivery failed, else empty. */
  @Column({ type: 'varchar', length: 255, default: '' })
  message!: string;

  /** When its mail was let go; null while it waits for the hourly budget of the organisation. */
  @Column({ name: 'queued_at', type: 'timestamptz', nullable: true })
  queuedAt!: Date | null;

  /** Names the delivery towards third parties; opens nothing. */
  @Column({ type: 'uuid' })
  hash!: string;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
