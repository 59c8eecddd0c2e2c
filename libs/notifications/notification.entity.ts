import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Organisation } from '@app/organisations/organisation.entity';
import { User } from '@app/users/user.entity';
import type { DeliveryStatus, NotificationGroup } from './notification.types';

/** Something that happened in an organisation and that its contacts are told about. */
@Entity('notifications')
@Check(
  'notifications_group_known',
  `notification_group IN ('App', 'Crm', 'Domain', 'Finance', 'Mail', 'System')`,
)
@Check('notifications_params_are_object', `jsonb_typeof(params) = 'object'`)
@Check('notifications_status_known', 'status BETWEEN 0 AND 3')
@Index('notifications_of_organisation', ['organisationId', 'id'])
@Index('notifications_about_user', ['aboutUserId'], { where: 'about_user_id IS NOT NULL' })
@Index('notifications_queued', ['organisationId', 'id'], { where: 'status = 0' })
@Index('notifications_of_group', ['organisationId', 'group', 'id'])
export class Notification {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'notifications_pkey',
  })
  id!: number;

  @Column({ name: 'organisation_id', type: 'integer' })
  @ForeignKey(() => Organisation, { name: 'notifications_organisation_exists' })
  organisationId!: number;

  @Column({ name: 'notification_group', type: 'varchar', length: 16 })
  group!: NotificationGroup;

  @Column({ type: 'varchar', length: 255 })
  type!: string;

  @Column({ name: 'entity_class', type: 'varchar', length: 64 })
  entityClass!: string;

  @Column({ name: 'entity_id', type: 'integer' })
  entityId!: number;

  /** As the subject was called then. */
  @Column({ name: 'entity_name', type: 'varchar', length: 255 })
  entityName!: string;

  /** Who did it; null for the service itself and for people who were no users yet. */
  @Column({ name: 'user_id', type: 'integer', nullable: true })
  @ForeignKey(() => User, { name: 'notifications_user_exists' })
  userId!: number | null;

  /** The user whose names it tells, for them to leave it with the user. */
  @Column({ name: 'about_user_id', type: 'integer', nullable: true })
  aboutUserId!: number | null;

  /** Whether a job has written the recipients among the contacts. */
  @Column({ name: 'is_expanded', type: 'boolean', default: true })
  isExpanded!: boolean;

  @Column({ type: 'varchar', length: 255, nullable: true })
  subject!: string | null;

  @Column({ type: 'jsonb', default: {} })
  params!: Record<string, unknown>;

  /** Kept for the areas of the panel that use it; 0: to each recipient apart. */
  @Column({ name: 'send_mode', type: 'integer', default: 0 })
  sendMode!: number;

  /** Kept for the areas of the panel that use it; 0: ordinary. */
  @Column({ type: 'integer', default: 0 })
  priority!: number;

  /** Follows the recipients by a database trigger. */
  @Column({ type: 'smallint', default: 0 })
  status!: DeliveryStatus;

  /** Links of its mails, made for each contact. */
  @Column({
    name: 'link_templates',
    type: 'text',
    array: true,
    nullable: true,
    comment: 'What the mails link to: {contactId} and {hash} are filled in for each recipient.',
  })
  linkTemplates!: string[] | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
