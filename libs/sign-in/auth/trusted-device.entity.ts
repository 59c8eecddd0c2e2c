import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/**
 * A device that logs in without a code. Its token identifies it, or its user agent and IP address. Logins
 * write it; `libs/sign-in/tokens2fa` shows and deletes it.
 */
@Entity('trusted_devices')
@Unique('trusted_devices_digest_unique', ['digest'])
@Unique('trusted_devices_once', ['userId', 'address', 'userAgent'])
export class TrustedDevice {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => User) userId!: number;

  /**
   * SHA-256 of the newest token that a login returned as `hash2fa`. A trigger keeps the one before as
   * {@link OlderDeviceToken}.
   */
  @Column({ type: 'bytea', comment: 'SHA-256 of the newest hash2fa, which itself is stored nowhere.' })
  digest!: Buffer;
  @Column({ type: 'varchar', length: 512 }) userAgent!: string;
  @Column({ type: 'varchar', length: 45 }) address!: string;

  /** From the user agent, with the version; empty if unknown. */
  @Column({ type: 'varchar', length: 128, default: '' }) os!: string;

  /** From the user agent, with the version; empty if unknown. */
  @Column({ type: 'varchar', length: 128, default: '' }) browser!: string;

  /** ISO 3166-1 alpha-2 code of the IP address at that login; empty without `GEOIP_DB`. */
  @Column({ type: 'varchar', length: 2, default: '' }) country!: string;
  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;

  /** The trust ends at this time, even if the device is in use. */
  @Column({ type: 'timestamptz' }) @Index('trusted_devices_expiring') expiresAt!: Date;

  @Column({
    type: 'timestamptz',
    nullable: true,
    comment: 'When the newest hash2fa was presented last; null: never.',
  })
  tokenUsedAt!: Date | null;
}

/** A token of a device before the newest. It goes with the device. */
@Entity('older_device_tokens', {
  comment: 'Tokens of a trusted device before the newest, which go on working.',
})
@Unique('older_device_tokens_digest_unique', ['digest'])
@Index('older_device_tokens_of_device', ['deviceId'])
export class OlderDeviceToken {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;

  @Column({ type: 'integer' })
  @ForeignKey(() => TrustedDevice, {
    name: 'older_device_tokens_device_exists',
    onDelete: 'CASCADE',
  })
  deviceId!: number;

  @Column({ type: 'bytea', comment: 'SHA-256 of a hash2fa, which itself is stored nowhere.' })
  digest!: Buffer;

  @Column({ type: 'timestamptz', nullable: true, comment: 'When it was presented last; null: never.' })
  usedAt!: Date | null;

  @Column({ type: 'timestamptz', comment: '30 days after the code for which it was given.' })
  expiresAt!: Date;
}
