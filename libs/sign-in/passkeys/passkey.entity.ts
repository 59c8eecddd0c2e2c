import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/people/users/user.entity';

/** A WebAuthn credential. The authenticator keeps the private key. */
@Entity('passkeys')
@Unique('passkeys_credential_unique', ['credentialId'])
@Check('passkeys_credential_fits', 'octet_length(credential_id) BETWEEN 1 AND 1023')
@Check('passkeys_public_key_fits', 'octet_length(public_key) BETWEEN 1 AND 2048')
@Index('passkeys_of_user', ['userId', 'id'])
export class Passkey {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => User) userId!: number;
  @Column({ type: 'varchar', length: 255 }) name!: string;
  @Column({ type: 'bytea' }) credentialId!: Buffer;

  @Column({ type: 'bytea', comment: 'A COSE key (RFC 9052). The authenticator keeps the private one.' })
  publicKey!: Buffer;

  @Column({ type: 'bigint', comment: 'Uses, as the authenticator counts them; 0 where it does not.' })
  counter!: number;

  @Column({ type: 'boolean', comment: 'Flag BE of the registration, which never changes.' })
  backupEligible!: boolean;

  /** Whether a service such as a password manager keeps a copy for the user. Updated at each login. */
  @Column({ type: 'boolean' }) backedUp!: boolean;
  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', nullable: true }) lastUsedAt!: Date | null;

  @Column({
    type: 'varchar',
    length: 253,
    comment: 'The domain (PASSKEY_RP_ID) that it was made for: it logs in nowhere else.',
  })
  rpId!: string;
}
