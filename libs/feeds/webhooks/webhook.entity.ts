import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';

/** A receiver of the events of an organisation. */
@Entity('webhooks', { comment: 'Receivers of the events of organisations.' })
@Check('webhooks_some_events', 'cardinality(events) BETWEEN 1 AND 100')
@Check('webhooks_former_secret_ends', '(former_sealed_secret IS NULL) = (former_secret_ends_at IS NULL)')
@Index('webhooks_of_organisation', ['organisationId', 'id'])
@Index('webhooks_behind', ['id'], { where: 'behind_after IS NOT NULL' })
export class Webhook {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'webhooks_pkey',
  })
  id!: number;

  @Column({ name: 'organisation_id', type: 'integer' })
  @ForeignKey(() => Organisation, { name: 'webhooks_organisation_exists' })
  organisationId!: number;

  @Column({ type: 'varchar', length: 2000 }) url!: string;

  /** Words such as `users.updated`, `users.*` and `*`. */
  @Column({ type: 'text', array: true }) events!: string[];

  /** Also receives events of organisations beneath its own. */
  @Column({ name: 'reaches_beneath', type: 'boolean', default: false }) beneath!: boolean;
  @Column({ type: 'boolean', default: true }) enabled!: boolean;

  @Column({ name: 'sealed_secret', type: 'text', comment: 'Encrypted with SECRETS_KEY.' })
  sealedSecret!: string;

  /** Signs too until `formerSecretEndsAt`. */
  @Column({ name: 'former_sealed_secret', type: 'text', nullable: true }) formerSealedSecret!: string | null;

  @Column({ name: 'former_secret_ends_at', type: 'timestamptz', nullable: true })
  formerSecretEndsAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
  @Column({ name: 'last_error', type: 'varchar', length: 255, default: '' }) lastError!: string;

  /** The first failed try after the last success. */
  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true }) failingSince!: Date | null;
  @Column({ name: 'failed_tries', type: 'integer', default: 0 }) failedTries!: number;

  /** The last try failed or took long: those that answer well do not wait for it. */
  @Column({ name: 'is_slow', type: 'boolean', default: false }) isSlow!: boolean;

  /** A process tries it until then; past: when it was tried last. */
  @Column({ name: 'taken_until', type: 'timestamptz', default: '-infinity' }) takenUntil!: Date;

  /** Events up to this one were committed before the webhook was made. */
  @Column({ name: 'made_after', type: 'bigint' }) madeAfter!: number;

  /** So were these later ones, which overtook open transactions. */
  @Column({ type: 'bigint', array: true, default: [] }) overtaking!: number[];

  /** The last event with a delivery before too many deliveries waited; null if the webhook is not behind. */
  @Column({ name: 'behind_after', type: 'bigint', nullable: true }) behindAfter!: number | null;

  /** Counts changes of the record itself; a trigger keeps it. */
  @Column({ type: 'integer', default: 1, insert: false, update: false }) version!: number;
}

/** The last event that became deliveries, in one row. */
@Entity('webhook_position', { comment: 'The last event that became deliveries, in one row.' })
@Check('webhook_position_once', 'id = 1')
export class WebhookPosition {
  @PrimaryColumn({ type: 'integer', default: 1, primaryKeyConstraintName: 'webhook_position_pkey' })
  id!: number;
  @Column({ name: 'event_id', type: 'bigint', default: 0 }) eventId!: number;
}

/** A message to a receiver, with the outcome of its last try. */
@Entity('webhook_deliveries', { comment: 'Messages to the receivers of webhooks, of the last 7 days.' })
@Index('webhook_deliveries_of_webhook', ['webhookId', 'id'])
@Index('webhook_deliveries_by_time', ['createdAt'])
@Index('webhook_deliveries_waiting', ['webhookId', 'nextTryAt'], { where: 'next_try_at IS NOT NULL' })
export class WebhookDelivery {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'webhook_deliveries_pkey',
  })
  id!: number;

  /** No foreign key: those of a deleted webhook stay until the clean-up has deleted them in batches. */
  @Column({ name: 'webhook_id', type: 'integer' }) webhookId!: number;

  @Column({ name: 'message_id', type: 'uuid' }) messageId!: string;
  @Column({ type: 'varchar', length: 64 }) event!: string;

  @Column({ type: 'text', comment: 'JSON, the same bytes in all tries.' }) body!: string;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'integer', default: 0 }) tries!: number;

  /** Failed tries since it was sent or sent again. */
  @Column({ type: 'smallint', default: 0 }) failures!: number;

  /** HTTP status of the last answer; 0 without one. */
  @Column({ type: 'smallint', default: 0 }) status!: number;
  @Column({ type: 'varchar', length: 255, default: '' }) error!: string;

  /** Milliseconds of the last try. */
  @Column({ type: 'integer', default: 0 }) duration!: number;

  /** Null: no try follows. */
  @Column({ name: 'next_try_at', type: 'timestamptz', nullable: true, default: () => 'now()' })
  nextTryAt!: Date | null;
}
