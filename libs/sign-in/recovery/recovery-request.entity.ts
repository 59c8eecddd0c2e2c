import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/**
 * A mail with a reset link and a confirmation code. The row remains for some time after `endedAt`, to
 * distinguish "used" from "unknown".
 */
@Entity('recovery_requests')
@Unique('recovery_requests_token_unique', ['tokenDigest'])
@Index('recovery_requests_one_open', ['userId'], { unique: true, where: 'ended_at IS NULL' })
@Index('recovery_requests_of_user', ['userId', 'createdAt'])
export class RecoveryRequest {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => User) userId!: number;

  @Column({ type: 'bytea', comment: 'SHA-256 of the reset token, which itself is stored nowhere.' })
  tokenDigest!: Buffer;

  @Column({ type: 'bytea', comment: 'Keyed digest of the confirmation code: eight digits can be tried out.' })
  codeDigest!: Buffer;

  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz' }) @Index('recovery_requests_expiring') expiresAt!: Date;
  @Column({ type: 'timestamptz' }) codeExpiresAt!: Date;
  @Column({ type: 'timestamptz', nullable: true }) codeUsedAt!: Date | null;

  /** When a reset, a newer request or a change of the user ended link and code. */
  @Column({ type: 'timestamptz', nullable: true }) endedAt!: Date | null;

  @Column({
    type: 'boolean',
    default: false,
    comment: 'The mail went to the user name, so that the link proves it.',
  })
  provesName!: boolean;
}
