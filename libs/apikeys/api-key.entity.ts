import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/users/user.entity';

/** A permanent credential of a user, for programs: it acts with the user's current rights. */
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

  @Column({ type: 'varchar', length: 255 })
  name!: string;

  @Column({ type: 'bytea', comment: 'SHA-256 of the key, which itself is stored nowhere.' })
  digest!: Buffer;

  /** Addresses and CIDR ranges in canonical form that it may be used from; empty: any. */
  @Column({ type: 'text', array: true, default: [] })
  whitelist!: string[];

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  /** Written at most once a minute. */
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;

  /** Refused for everything but GET and HEAD, for as long as it lives. */
  @Column({ name: 'read_only', type: 'boolean', default: false })
  readOnly!: boolean;

  /** When a new key took its place, which happens once. */
  @Column({ name: 'rotated_at', type: 'timestamptz', nullable: true })
  rotatedAt!: Date | null;

  /** How many days before its end its user was told last. */
  @Column({ name: 'told_days_left', type: 'smallint', nullable: true })
  toldDaysLeft!: number | null;
}
