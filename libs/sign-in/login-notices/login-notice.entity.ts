import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/**
 * A login from a new network or device, with the link that ends it. The row is kept for 30 days, longer than
 * the login, so that a network causes one mail in that time. A user has at most 100 rows.
 */
@Entity('login_notices')
@Unique('login_notices_token_unique', ['tokenDigest'])
@Index('login_notices_of_user', ['userId', 'loggedInAt'])
export class LoginNotice {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => User) userId!: number;

  @Column({ type: 'integer', comment: 'Of the table logins, whose row may have gone: ids are used once.' })
  loginId!: number;

  /** Time of the login. A device that the login trusted has the same time. */
  @Column({ type: 'timestamptz', default: () => 'now()' }) @Index('login_notices_by_age') loggedInAt!: Date;
  @Column({ type: 'cidr', comment: 'A /24 of IPv4 or a /64 of IPv6.' }) network!: string;
  @Column({ type: 'varchar', length: 45 }) address!: string;

  /** ISO 3166-1 alpha-2; empty if unknown. */
  @Column({ type: 'varchar', length: 2 }) country!: string;

  /** Recognised names with versions; empty if unknown. */
  @Column({ type: 'varchar', length: 64 }) os!: string;
  @Column({ type: 'varchar', length: 64 }) browser!: string;

  @Column({ type: 'bytea', comment: 'SHA-256 of the token, which itself is stored nowhere.' })
  tokenDigest!: Buffer;

  @Column({ type: 'timestamptz' }) expiresAt!: Date;

  /** When the link ended the login. */
  @Column({ type: 'timestamptz', nullable: true }) endedAt!: Date | null;
}
