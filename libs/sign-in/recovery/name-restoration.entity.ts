import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/**
 * A link that restores a changed user name. Other users cannot take the name until the link ends or expires.
 */
@Entity('name_restorations')
@Unique('name_restorations_token_unique', ['tokenDigest'])
@Index('name_restorations_reserved', { synchronize: false })
@Index('name_restorations_of_user', ['userId', 'id'])
export class NameRestoration {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => User) userId!: number;

  /** The old name in its original spelling; empty after the user's deletion. */
  @Column({ type: 'varchar', length: 254 }) formerName!: string;

  @Column({ type: 'bytea', comment: 'SHA-256 of the token, which itself is stored nowhere.' })
  tokenDigest!: Buffer;

  @Column({ type: 'timestamptz', default: () => 'now()' }) renamedAt!: Date;
  @Column({ type: 'timestamptz' }) @Index('name_restorations_expiring') expiresAt!: Date;

  /** When the link was used, or was ended by the use of an earlier link or by a change of the user. */
  @Column({ type: 'timestamptz', nullable: true }) endedAt!: Date | null;
}
