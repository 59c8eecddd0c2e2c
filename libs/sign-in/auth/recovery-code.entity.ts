import { Check, Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/** A code that replaces the authenticator's once. A user with a second factor has at most ten. */
@Entity('recovery_codes')
@Unique('recovery_codes_once', ['userId', 'position'])
@Check('recovery_codes_position_known', 'position BETWEEN 1 AND 10')
export class RecoveryCode {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => User) userId!: number;

  /** Position in the set, from 1. */
  @Column({ type: 'smallint' }) position!: number;

  @Column({
    type: 'text',
    comment: 'SHA-256 of the code, encrypted with SECRETS_KEY: it is short enough to be found by its digest.',
  })
  encryptedDigest!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', nullable: true }) usedAt!: Date | null;
}
