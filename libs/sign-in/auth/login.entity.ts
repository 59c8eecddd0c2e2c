import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/** A login: the credential that `POST /login` issues. */
@Entity('logins')
@Unique('logins_digest_unique', ['digest'])
@Check('logins_support_whole', 'num_nonnulls(staff_id, support_reason, support_write, begun_with) IN (0, 4)')
@Check('logins_support_bounded', `staff_id IS NULL OR expires_at <= created_at + interval '60 minutes'`)
@Check('logins_link_whole', '(service_key_id IS NULL) = (service_key_name IS NULL)')
export class Login {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;

  @Column({ type: 'integer' })
  @ForeignKey(() => User)
  @Index('logins_of_user')
  userId!: number;

  /** SHA-256 of the login hash. */
  @Column({ type: 'bytea', comment: 'SHA-256 of the login hash, which itself is stored nowhere.' })
  digest!: Buffer;

  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', default: () => 'now()' }) lastUsedAt!: Date;

  /** The login ends at this time, even if it is in use. */
  @Column({ type: 'timestamptz' }) @Index('logins_expiring') expiresAt!: Date;

  /** IP address of the client that logged in. */
  @Column({ type: 'varchar', length: 45 }) address!: string;
  @Column({ type: 'varchar', length: 512, default: '' }) userAgent!: string;

  /** From the user agent, with the version; empty if unknown. */
  @Column({ type: 'varchar', length: 128, default: '' }) os!: string;

  /** From the user agent, with the version; empty if unknown. */
  @Column({ type: 'varchar', length: 128, default: '' }) browser!: string;

  /** ISO 3166-1 alpha-2 code of the IP address at login; empty without `GEOIP_DB`. */
  @Column({ type: 'varchar', length: 2, default: '' }) country!: string;

  @Column({
    type: 'integer',
    nullable: true,
    comment:
      'The passkey that made it, which counts as both factors while it is there. Its row may have gone: ids are used once.',
  })
  passkeyId!: number | null;

  @Column({
    type: 'integer',
    nullable: true,
    comment: 'The service key whose link made the login, which ends with it.',
  })
  // By its name, because the domain of service keys is built on this one.
  @ForeignKey('ServiceKey', { onDelete: 'CASCADE' })
  @Index('logins_of_service_key', { where: 'service_key_id IS NOT NULL' })
  serviceKeyId!: number | null;

  /** Of a login that the user did not make by the password, nor by a passkey. */
  @Column({
    type: 'varchar',
    length: 255,
    nullable: true,
    comment:
      'The service key that stood for the password, as it was called then; null where the user proved to be itself.',
  })
  serviceKeyName!: string | null;

  /** This and the three columns below are null for a user's own login. */
  @Column({
    type: 'integer',
    nullable: true,
    comment: 'The admin who acts in the name of the user; null for the own login of the user.',
  })
  @ForeignKey(() => User)
  @Index('logins_of_staff', { where: 'staff_id IS NOT NULL' })
  staffId!: number | null;

  @Column({ type: 'varchar', length: 500, nullable: true }) supportReason!: string | null;

  @Column({ type: 'boolean', nullable: true, comment: 'Whether a support login may change anything.' })
  supportWrite!: boolean | null;

  @Column({
    type: 'integer',
    nullable: true,
    comment: 'The login of the staff member that began this support login.',
  })
  @ForeignKey(() => Login, { name: 'logins_beginning_exists', onDelete: 'CASCADE' })
  @Index('logins_begun_with', { where: 'begun_with IS NOT NULL' })
  begunWith!: number | null;
}
