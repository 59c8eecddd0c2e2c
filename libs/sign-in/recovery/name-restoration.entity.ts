import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/** A link that restores a changed user name. Until it ends or expires, no other user can take the name. */
@Entity('name_restorations')
@Unique('name_restorations_token_unique', ['tokenDigest'])
@Index('name_restorations_reserved', { synchronize: false })
@Index('name_restorations_of_user', ['userId', 'id'])
export class NameRestoration {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'name_restorations_pkey',
  })
  id!: number;

  @Column({ name: 'user_id', type: 'integer' })
  @ForeignKey(() => User, { name: 'name_restorations_user_exists' })
  userId!: number;

  /** In its old spelling; empty after the user's deletion. */
  @Column({ name: 'former_name', type: 'varchar', length: 254 }) formerName!: string;

  @Column({
    name: 'token_digest',
    type: 'bytea',
    comment: 'SHA-256 of the token, which itself is stored nowhere.',
  })
  tokenDigest!: Buffer;

  @Column({ name: 'renamed_at', type: 'timestamptz', default: () => 'now()' }) renamedAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  @Index('name_restorations_expiring')
  expiresAt!: Date;

  /** When it was used, or ended by the use of an earlier one or by a change of the user. */
  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true }) endedAt!: Date | null;
}
