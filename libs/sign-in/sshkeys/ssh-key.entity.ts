import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';
import { User } from '@app/people/users/user.entity';

/** The public key of a user, or a deploy key of an organisation. It is deleted with its owner. */
@Entity('ssh_keys')
@Unique('ssh_keys_key_unique', ['keyDigest'])
@Check('ssh_keys_one_owner', 'num_nonnulls(organisation_id, user_id) = 1')
@Index('ssh_keys_of_organisation', ['organisationId', 'id'])
@Index('ssh_keys_of_user', ['userId', 'id'])
export class SshKey {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;

  /** Owner of a deploy key; null for the key of a user. */
  @Column({ type: 'integer', nullable: true }) @ForeignKey(() => Organisation) organisationId!: number | null;

  /** Owner of a user's key; null for a deploy key. */
  @Column({ type: 'integer', nullable: true }) @ForeignKey(() => User) userId!: number | null;
  @Column({ type: 'varchar', length: 255 }) description!: string;

  /** The type in the blob, for example `ssh-ed25519`. */
  @Column({ type: 'varchar', length: 64 }) type!: string;

  /** The binary key (RFC 4253 section 6.6). */
  @Column({ type: 'bytea' }) blob!: Buffer;

  /** Size as ssh-keygen prints it. */
  @Column({ type: 'integer' }) bits!: number;

  /** Text after the key; may be empty. */
  @Column({ type: 'text' }) comment!: string;

  /** MD5 of the blob: hex pairs, separated by colons. */
  @Column({ type: 'varchar', length: 47 }) fingerprint!: string;

  @Column({
    type: 'bytea',
    comment: 'SHA-256 of type and blob, the part of a key that is unique over the whole service.',
  })
  keyDigest!: Buffer;

  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;

  /** When the key was last replaced; a trigger updates it. */
  @Column({ type: 'timestamptz', nullable: true, insert: false, update: false }) keyChangedAt!: Date | null;

  /** Counts changes of the record itself; a trigger increments it. */
  @Column({ type: 'integer', default: 1, insert: false, update: false }) version!: number;
}
