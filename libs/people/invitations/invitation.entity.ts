import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';
import { User } from '@app/people/users/user.entity';
import type { Language } from '@app/people/users/user.types';
import type { Role } from '@app/security/access/roles';

/**
 * Invites an e-mail address to become a user of an organisation. The holder of the token can register once.
 */
@Entity('invitations')
@Unique('invitations_token_unique', ['tokenDigest'])
@Check('invitations_language_known', `language IN ('nl', 'en', 'fr')`)
@Index('invitations_one_open', { synchronize: false })
@Index('invitations_by_end', { synchronize: false })
@Index('invitations_made_from_above', ['madeByOrganisation', 'organisationId'], {
  where: 'made_by_organisation IS NOT NULL AND accepted_at IS NULL AND deleted_at IS NULL',
})
@Index('invitations_of_organisation', ['organisationId', 'id'], { where: 'deleted_at IS NULL' })
@Check('invitations_one_inviter', 'num_nonnulls(inviter_id, inviter_organisation_id) = 1')
export class Invitation {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Organisation) organisationId!: number;

  /**
   * The user who created or last changed the invitation. This user must hold the rights to give its
   * roles. Null for a service key.
   */
  @Column({ type: 'integer', nullable: true }) @ForeignKey(() => User) inviterId!: number | null;

  @Column({
    type: 'integer',
    nullable: true,
    comment: 'The organisation whose service key invites; null where a user does.',
  })
  @ForeignKey(() => Organisation, { name: 'invitations_inviting_organisation_exists' })
  inviterOrganisationId!: number | null;

  @Column({
    type: 'integer',
    nullable: true,
    comment:
      'The organisation above that made it, and without whose reach it ends; null: it does not depend on any.',
  })
  @ForeignKey(() => Organisation)
  madeByOrganisation!: number | null;

  @Column({
    type: 'boolean',
    default: false,
    comment:
      'An API key or a service key made it, changed it or sent it again last: its user joins no team that uses a grant.',
  })
  madeByKey!: boolean;

  /** Becomes the user name. */
  @Column({ type: 'varchar', length: 254 }) email!: string;
  @Column({ type: 'varchar', length: 255 }) firstName!: string;
  @Column({ type: 'varchar', length: 255 }) lastName!: string;
  @Column({ type: 'varchar', length: 2, default: 'nl' }) language!: Language;
  @Column({ type: 'text', array: true, default: [] }) autoRoles!: Role[];

  /** Ids of teams. The registration skips deleted teams. */
  @Column({ type: 'integer', array: true, default: [] }) autoTeams!: number[];

  /** SHA-256 of the newest token. */
  @Column({ type: 'bytea' }) tokenDigest!: Buffer;
  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz' }) expiresAt!: Date;

  /** Time of the registration. */
  @Column({ type: 'timestamptz', nullable: true }) acceptedAt!: Date | null;

  /** Time of the withdrawal, or of the replacement of an expired invitation. */
  @Column({ type: 'timestamptz', nullable: true }) deletedAt!: Date | null;

  /** Counts changes of the record itself; a trigger increments it. */
  @Column({ type: 'integer', default: 1, insert: false, update: false }) version!: number;
}
