import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/users/user.entity';

/** A login: the credential that `POST /login` hands out. */
@Entity('logins')
@Unique('logins_digest_unique', ['digest'])
export class Login {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'logins_pkey',
  })
  id!: number;

  @Column({ name: 'user_id', type: 'integer' })
  @ForeignKey(() => User, { name: 'logins_user_exists' })
  @Index('logins_of_user')
  userId!: number;

  /** SHA-256 of the login hash. */
  @Column({ type: 'bytea', comment: 'SHA-256 of the login hash, which itself is stored nowhere.' })
  digest!: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
  @Column({ name: 'last_used_at', type: 'timestamptz', default: () => 'now()' }) lastUsedAt!: Date;

  /** Ends then, even if in use. */
  @Column({ name: 'expires_at', type: 'timestamptz' })
  @Index('logins_expiring')
  expiresAt!: Date;

  /** IP address of the client that logged in. */
  @Column({ type: 'varchar', length: 45 }) address!: string;
  @Column({ name: 'user_agent', type: 'varchar', length: 512, default: '' }) userAgent!: string;

  /** From the user agent, with the version; empty if unknown. */
  @Column({ type: 'varchar', length: 128, default: '' }) os!: string;

  /** From the user agent, with the version; empty if unknown. */
  @Column({ type: 'varchar', length: 128, default: '' }) browser!: string;

  /** ISO 3166-1 alpha-2 code of the IP address at login; empty without `GEOIP_DB`. */
  @Column({ type: 'varchar', length: 2, default: '' }) country!: string;
}
