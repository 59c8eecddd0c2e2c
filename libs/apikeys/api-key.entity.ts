import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/users/user.entity';

/** A long-lived credential for programs, with the user's current rights. */
@Entity('api_keys')
@Unique('api_keys_digest_unique', ['digest'])
@Index('api_keys_of_user', ['userId', 'id'])
@Index('api_keys_by_end', ['expiresAt'])
export class ApiKey {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'api_keys_pkey',
  })
  id!: number;

  @Column({ name: 'user_id', type: 'integer' })
  @ForeignKey(() => User, { name: 'api_keys_user_exists' })
  userId!: number;

  @Column({ type: 'varchar', length: 255 }) name!: string;
  @Column({ type: 'bytea', comment: 'SHA-256 of the key, which itself is stored nowhere.' }) digest!: Buffer;

  /** Canonical IP addresses and CIDR ranges of permitted clients; empty for any. */
  @Column({ type: 'text', array: true, default: [] }) whitelist!: string[];
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;

  /** Written at most once a minute. */
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true }) lastUsedAt!: Date | null;
  @Column({ name: 'expires_at', type: 'timestamptz' }) expiresAt!: Date;

  /** Permits only GET and HEAD. Never changes. */
  @Column({ name: 'read_only', type: 'boolean', default: false }) readOnly!: boolean;

  /** When it was rotated, which happens once. */
  @Column({ name: 'rotated_at', type: 'timestamptz', nullable: true }) rotatedAt!: Date | null;

  /** Days before its end at which the user was last notified. */
  @Column({ name: 'told_days_left', type: 'smallint', nullable: true }) toldDaysLeft!: number | null;

  /** Counts changes of the record itself; a trigger keeps it. */
  @Column({ type: 'integer', default: 1, insert: false, update: false }) version!: number;
}
