import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';
import { User } from '@app/people/users/user.entity';

/**
 * A link that proves the user name of its row. Rows stay for some time after their end: they count the mails,
 * and tell a used link from an unknown one.
 */
@Entity('name_proofs')
@Unique('name_proofs_token_unique', ['tokenDigest'])
@Index('name_proofs_one_open', ['userId'], { unique: true, where: 'ended_at IS NULL' })
@Index('name_proofs_of_name', ['organisationId', 'nameDigest'], { where: 'name_digest IS NOT NULL' })
@Index('name_proofs_of_user', ['userId', 'createdAt'])
@Index('name_proofs_of_organisation', ['organisationId', 'createdAt'])
export class NameProof {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => User) userId!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Organisation) organisationId!: number;

  @Column({
    type: 'varchar',
    length: 254,
    comment: 'The unproved name. Empty after the deletion of the user.',
  })
  name!: string;

  @Column({
    type: 'bytea',
    nullable: true,
    comment:
      'SHA-256 of the name in lower case, for a day: so long a mail to it counts, also after the deletion of the user.',
  })
  nameDigest!: Buffer | null;

  @Column({ type: 'bytea', comment: 'SHA-256 of the token, which itself is stored nowhere.' })
  tokenDigest!: Buffer;

  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz' }) @Index('name_proofs_expiring') expiresAt!: Date;

  /** When the link was used, or was ended by another name of the user. */
  @Column({ type: 'timestamptz', nullable: true }) endedAt!: Date | null;
}
