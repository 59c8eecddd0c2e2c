import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/**
 * A link that was mailed to the mailbox of a user name: it resets the password, or verifies a new name. The
 * row remains for some time after `endedAt`, to distinguish "used" from "unknown".
 */
@Entity('recovery_requests')
@Unique('recovery_requests_token_unique', ['tokenDigest'])
@Check('recovery_requests_kind_known', `kind IN ('reset', 'name')`)
@Index('recovery_requests_one_name', ['userId'], {
  unique: true,
  where: `kind = 'name' AND ended_at IS NULL`,
})
@Index('recovery_requests_of_user', ['userId', 'id'])
export class RecoveryRequest {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => User) userId!: number;
  @Column({ type: 'varchar', length: 8, default: 'reset' }) kind!: 'reset' | 'name';

  @Column({
    type: 'varchar',
    length: 254,
    comment: 'The name whose mailbox got the mail. Empty after the deletion of the user.',
  })
  username!: string;

  @Column({ type: 'bytea', comment: 'SHA-256 of the token, which itself is stored nowhere.' })
  tokenDigest!: Buffer;

  @Column({
    type: 'bytea',
    nullable: true,
    comment: 'Keyed digest of the confirmation code of a reset: eight digits can be tried out.',
  })
  codeDigest!: Buffer | null;

  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz' }) @Index('recovery_requests_expiring') expiresAt!: Date;
  @Column({ type: 'timestamptz', nullable: true }) codeExpiresAt!: Date | null;
  @Column({ type: 'timestamptz', nullable: true }) codeUsedAt!: Date | null;

  /** When the use of a link, a newer link of a name or a change of the user ended link and code. */
  @Column({ type: 'timestamptz', nullable: true }) endedAt!: Date | null;
}
