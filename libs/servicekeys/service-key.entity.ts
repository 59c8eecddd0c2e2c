import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Organisation } from '@app/organisations/organisation.entity';

/** A long-lived credential of an organisation, for programs. It outlives whoever made it. */
@Entity('service_keys', {
  comment: 'Credentials of organisations, for programs. No user stands behind them.',
})
@Unique('service_keys_digest_unique', ['digest'])
@Check('service_keys_some_operations', 'cardinality(operations) BETWEEN 1 AND 100')
@Check('service_keys_admins_of_operator', 'NOT as_admin OR organisation_id = 1')
@Index('service_keys_of_organisation', ['organisationId', 'id'])
@Index('service_keys_by_end', ['expiresAt'])
export class ServiceKey {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'service_keys_pkey',
  })
  id!: number;

  @Column({ name: 'organisation_id', type: 'integer' })
  @ForeignKey(() => Organisation, { name: 'service_keys_organisation_exists' })
  organisationId!: number;

  @Column({ type: 'varchar', length: 255 }) name!: string;
  @Column({ type: 'bytea', comment: 'SHA-256 of the key, which itself is stored nowhere.' }) digest!: Buffer;

  /** Operations of the privilege table, and groups of them such as `contacts.*`. */
  @Column({ type: 'text', array: true }) operations!: string[];

  /** Also acts on the organisations beneath its own. */
  @Column({ name: 'reaches_beneath', type: 'boolean', default: false }) beneath!: boolean;

  @Column({
    name: 'as_admin',
    type: 'boolean',
    default: false,
    comment: 'An admin made it for the operator organisation: it acts as an admin.',
  })
  asAdmin!: boolean;

  /** Canonical IP addresses and CIDR ranges of permitted clients; empty for any. */
  @Column({ type: 'text', array: true, default: [] }) whitelist!: string[];
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;

  /** Written at most once a minute. */
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true }) lastUsedAt!: Date | null;
  @Column({ name: 'expires_at', type: 'timestamptz' }) expiresAt!: Date;

  /** When it was rotated, which happens once. */
  @Column({ name: 'rotated_at', type: 'timestamptz', nullable: true }) rotatedAt!: Date | null;

  /** Days before its end at which the organisation was last notified. */
  @Column({ name: 'told_days_left', type: 'smallint', nullable: true }) toldDaysLeft!: number | null;

  /** Counts changes of the record itself; a trigger keeps it. */
  @Column({ type: 'integer', default: 1, insert: false, update: false }) version!: number;
}
