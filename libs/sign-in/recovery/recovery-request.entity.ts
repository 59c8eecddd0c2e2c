import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/** A mail with a reset link and a confirmation code. The row outlives `endedAt` for a while, to distinguish "used" from "unknown". */
@Entity('recovery_requests')
@Unique('recovery_requests_token_unique', ['tokenDigest'])
@Index('recovery_requests_one_open', ['userId'], { unique: true, where: 'ended_at IS NULL' })
@Index('recovery_requests_of_user', ['userId', 'createdAt'])
export class RecoveryRequest {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'recovery_requests_pkey',
  })
  id!: number;

  @Column({ name: 'user_id', type: 'integer' })
  @ForeignKey(() => User, { name: 'recovery_requests_user_exists' })
  userId!: number;

  @Column({
    name: 'token_digest',
    type: 'bytea',
    comment: 'SHA-256 of the reset token, which itself is stored nowhere.',
  })
  tokenDigest!: Buffer;

  @Column({
    name: 'code_digest',
    type: 'bytea',
    comment: 'Keyed digest of the confirmation code: eight digits can be tried out.',
  })
  codeDigest!: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  @Index('recovery_requests_expiring')
  expiresAt!: Date;

  @Column({ name: 'code_expires_at', type: 'timestamptz' }) codeExpiresAt!: Date;
  @Column({ name: 'code_used_at', type: 'timestamptz', nullable: true }) codeUsedAt!: Date | null;

  /** When a reset, a newer request or a change of the user ended link and code. */
  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true }) endedAt!: Date | null;
}
