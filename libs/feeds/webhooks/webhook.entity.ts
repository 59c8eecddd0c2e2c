import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';

/** A receiver of the events of an organisation. */
@Entity('webhooks', { comment: 'Receivers of the events of organisations.' })
@Check('webhooks_some_events', 'cardinality(events) BETWEEN 1 AND 100')
@Check('webhooks_former_secret_ends', '(former_encrypted_secret IS NULL) = (former_secret_ends_at IS NULL)')
@Index('webhooks_of_organisation', ['organisationId', 'id'])
@Index('webhooks_of_customer', ['customerId'])
@Index('webhooks_made_from_above', ['madeByOrganisation', 'organisationId'], {
  where: 'made_by_organisation IS NOT NULL',
})
@Index('webhooks_behind', ['id'], { where: 'behind_after IS NOT NULL' })
@Index('webhooks_due', ['nextDueAt'], { where: 'next_due_at IS NOT NULL' })
export class Webhook {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Organisation) organisationId!: number;

  @Column({
    type: 'integer',
    insert: false,
    update: false,
    comment: 'That of its organisation; triggers keep it.',
  })
  customerId!: number;

  @Column({ type: 'varchar', length: 2000 }) url!: string;

  /** Words such as `users.updated`, `users.*` and `*`. */
  @Column({ type: 'text', array: true }) events!: string[];

  /** Also receives events of organisations beneath its own. */
  @Column({ name: 'reaches_beneath', type: 'boolean', default: false }) beneath!: boolean;

  @Column({
    type: 'integer',
    nullable: true,
    comment:
      'The organisation above that made it, and without whose reach it ends; null: it does not depend on any.',
  })
  @ForeignKey(() => Organisation)
  madeByOrganisation!: number | null;

  @Column({ type: 'boolean', default: true }) enabled!: boolean;
  @Column({ type: 'text', comment: 'Encrypted with SECRETS_KEY.' }) encryptedSecret!: string;

  /** Also signs messages until `formerSecretEndsAt`. */
  @Column({ type: 'text', nullable: true }) formerEncryptedSecret!: string | null;
  @Column({ type: 'timestamptz', nullable: true }) formerSecretEndsAt!: Date | null;
  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'varchar', length: 255, default: '' }) lastError!: string;

  /** Time of the first failed try after the last success. */
  @Column({ type: 'timestamptz', nullable: true }) failingSince!: Date | null;
  @Column({ type: 'integer', default: 0 }) failedTries!: number;

  /** Whether the last try failed or took long. Fast webhooks do not wait for it. */
  @Column({ type: 'boolean', default: false }) isSlow!: boolean;

  /** A process tries the webhook until this time. A time in the past is the last try. */
  @Column({ type: 'timestamptz', default: '-infinity' }) takenUntil!: Date;

  /** A trigger makes it earlier, the end of a turn later. */
  @Column({
    type: 'timestamptz',
    nullable: true,
    comment: 'When to look for its deliveries: no later than the first that waits. Null if none waits.',
  })
  nextDueAt!: Date | null;

  /** Events up to this one are older than the webhook. */
  @Column({ type: 'bigint' }) madeAfter!: number;

  /**
   * Later events that were committed before the webhook was made, while a transaction with
   * an earlier event was open.
   */
  @Column({ name: 'overtaking', type: 'bigint', array: true, default: [] }) unsettledEventIds!: number[];

  /**
   * The last event with a delivery, from the moment when too many deliveries waited; null if
   * the webhook is not behind.
   */
  @Column({ type: 'bigint', nullable: true }) behindAfter!: number | null;

  /** Counts changes of the record itself; a trigger increments it. */
  @Column({ type: 'integer', default: 1, insert: false, update: false }) version!: number;
}

/** The last event that became deliveries, in one row. */
@Entity('webhook_position', { comment: 'The last event that became deliveries, in one row.' })
@Check('webhook_position_once', 'id = 1')
export class WebhookPosition {
  @PrimaryColumn({ type: 'integer', default: 1 }) id!: number;
  @Column({ type: 'bigint', default: 0 }) eventId!: number;
}

/** A message to a receiver, with the outcome of its last try. */
@Entity('webhook_deliveries', { comment: 'Messages to the receivers of webhooks, of the last 7 days.' })
@Index('webhook_deliveries_of_webhook', ['webhookId', 'id'])
@Index('webhook_deliveries_by_time', ['createdAt'])
@Index('webhook_deliveries_waiting', ['webhookId', 'nextTryAt'], { where: 'next_try_at IS NOT NULL' })
export class WebhookDelivery {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;

  /** No foreign key: deliveries of a deleted webhook remain until the clean-up deletes them in batches. */
  @Column({ type: 'integer' }) webhookId!: number;
  @Column({ type: 'uuid' }) messageId!: string;
  @Column({ type: 'varchar', length: 64 }) event!: string;
  @Column({ type: 'text', comment: 'JSON, the same bytes in all tries.' }) body!: string;
  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'integer', default: 0 }) tries!: number;

  /** Failed tries since it was first sent or resent. */
  @Column({ type: 'smallint', default: 0 }) failures!: number;

  /** HTTP status of the last answer; 0 without an answer. */
  @Column({ type: 'smallint', default: 0 }) status!: number;
  @Column({ type: 'varchar', length: 255, default: '' }) error!: string;

  /** Duration of the last try in milliseconds. */
  @Column({ type: 'integer', default: 0 }) duration!: number;

  /** Null if no try follows. */
  @Column({ type: 'timestamptz', nullable: true, default: () => 'now()' }) nextTryAt!: Date | null;
}
