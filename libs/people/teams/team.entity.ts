import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';
import { User } from '@app/people/users/user.entity';
import type { TeamEntityKind } from './team.types';

/** A group of users of one organisation that works on apps, domains, mail groups and systems. */
@Entity('teams')
@Index('teams_name_unique', { synchronize: false })
@Index('teams_of_organisation', ['organisationId', 'id'])
export class Team {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Organisation) organisationId!: number;

  /** Unique in the organisation, ignoring case. */
  @Column({ type: 'varchar', length: 255 }) name!: string;

  /** Shown to clients; no request sets it (rule teams 7). */
  @Column({ type: 'boolean', default: false }) adminOnly!: boolean;

  /** Whether other areas of the panel put the members' SSH keys on the team's systems. */
  @Column({ type: 'boolean', default: false }) autoAddSshkey!: boolean;
  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;

  /** Counts changes of the record itself; a trigger increments it. */
  @Column({ type: 'integer', default: 1, insert: false, update: false }) version!: number;
}

/** A membership of a user in a team. */
@Entity('team_members')
@Unique('team_members_once', ['teamId', 'userId'])
@Index('team_members_of_user', ['userId'])
export class TeamMember {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Team, { onDelete: 'CASCADE' }) teamId!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => User) userId!: number;
}

/** An app, domain, mail group or system that a team works on. */
@Entity('team_entities', { comment: 'Which apps, domains, mail groups and systems a team has access to.' })
@Unique('team_entities_once', ['teamId', 'kind', 'objectId'])
@Index('team_entities_of_object', ['kind', 'objectId'])
@Check('team_entities_kind_known', `kind IN ('apps', 'domains', 'mailgroups', 'systems')`)
export class TeamEntity {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Team, { onDelete: 'CASCADE' }) teamId!: number;
  @Column({ type: 'varchar', length: 16 }) kind!: TeamEntityKind;
  @Column({ type: 'integer' }) objectId!: number;
}
