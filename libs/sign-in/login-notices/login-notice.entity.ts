import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/**
 * A login from somewhere new, with the link of its mail that ends it. The facts stay when the login has ended. Kept for 30
 * days, so that one network is told once in that time; at most 100 of a user.
 */
@Entity('login_notices')
@Unique('login_notices_token_unique', ['tokenDigest'])
@Index('login_notices_of_user', ['userId', 'loggedInAt'])
export class LoginNotice {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'login_notices_pkey',
  })
  id!: number;

  @Column({ name: 'user_id', type: 'integer' })
  @ForeignKey(() => User, { name: 'login_notices_user_exists' })
  userId!: number;

  @Column({
    name: 'login_id',
    type: 'integer',
    comment: 'Of the table logins, whose row may have gone: ids are used once.',
  })
  loginId!: number;

  /** Time of the login, and of the trust in a device, if the login asked for it. */
  @Column({ name: 'logged_in_at', type: 'timestamptz', default: () => 'now()' })
  @Index('login_notices_by_age')
  loggedInAt!: Date;

  @Column({ type: 'cidr', comment: 'A /24 of IPv4 or a /64 of IPv6.' }) network!: string;
  @Column({ type: 'varchar', length: 45 }) address!: string;

  /** ISO 3166-1 alpha-2; empty if unknown. */
  @Column({ type: 'varchar', length: 2 }) country!: string;

  /** Recognised names with their versions; empty if unknown. */
  @Column({ type: 'varchar', length: 64 }) os!: string;
  @Column({ type: 'varchar', length: 64 }) browser!: string;

  @Column({
    name: 'token_digest',
    type: 'bytea',
    comment: 'SHA-256 of the token, which itself is stored nowhere.',
  })
  tokenDigest!: Buffer;

  @Column({ name: 'expires_at', type: 'timestamptz' }) expiresAt!: Date;

  /** When the link ended the login. */
  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true }) endedAt!: Date | null;
}
