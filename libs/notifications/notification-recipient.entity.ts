import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Notification } from './notification.entity';
import type { RecipientStatus, RecipientType } from './notification.values';

/** An address that a notification goes to, as it was when the notification was written. */
@Entity('notification_recipients')
@Check('notification_recipients_language_known', `language IN ('nl', 'en', 'fr')`)
@Check('notification_recipients_type_known', `type IN ('email', 'phone', 'slack')`)
@Check('notification_recipients_status_known', `status IN ('queued', 'sent', 'failed', 'skipped')`)
@Index('notification_recipients_once', { synchronize: false })
@Index('notification_recipients_waiting', ['createdAt'], { where: "status = 'queued'" })
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

  /** Names the delivery towards third parties; opens nothing. */
  @Column({ type: 'uuid' })
  hash!: string;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
