import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';
import { Team } from '@app/people/teams/team.entity';
import type { GrantAccess } from './grant.types';

/** A grant: what users of the grantee may do on the organisation. */
@Entity('acls', { comment: 'Grants: what users of grantee may do on organisation.' })
@Unique('acls_once', ['organisationId', 'granteeId'])
@Check('acls_not_to_itself', 'organisation_id <> grantee_id')
@Check('acls_access_known', `access IN ('read', 'manage')`)
@Index('acls_of_grantee', ['granteeId', 'organisationId'])
@Index('acls_made_from_above', ['madeByOrganisation', 'organisationId'], {
  where: 'made_by_organisation IS NOT NULL',
})
@Index('acls_that_end', ['expiresAt'], { where: 'expires_at IS NOT NULL' })
export class Acl {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Organisation) organisationId!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Organisation) granteeId!: number;

  @Column({
    type: 'integer',
    nullable: true,
    comment:
      'The organisation above that made it, and without whose reach it ends; null: it does not depend on any.',
  })
  @ForeignKey(() => Organisation)
  madeByOrganisation!: number | null;

  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'varchar', length: 6, default: 'read' }) access!: GrantAccess;

  @Column({
    type: 'boolean',
    default: false,
    comment:
      'Only members of its teams and the CUSTADMINs of grantee use it. It was given a team once, and stays so.',
  })
  onlyTeams!: boolean;

  /** The grant is not valid after this time; a job deletes it later. */
  @Column({ type: 'timestamptz', nullable: true }) expiresAt!: Date | null;

  /** Counts changes of the record and of its teams; triggers keep it. */
  @Column({ type: 'integer', default: 1, insert: false, update: false }) version!: number;
}

/**
 * A team of the grantee whose members use the grant. A trigger refuses other teams. The first team
 * limits the grant to teams.
 */
@Entity('acl_teams', { comment: 'Teams of the grantee whose members use a grant.' })
@Unique('acl_teams_once', ['aclId', 'teamId'])
@Index('acl_teams_of_team', ['teamId', 'aclId'])
export class AclTeam {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Acl, { onDelete: 'CASCADE' }) aclId!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Team, { onDelete: 'CASCADE' }) teamId!: number;
}
