import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { TeamEntityKind } from './team.types';
import { Team } from './team.entity';

/** An app, domain, mail group or system that a team works on. */
@Entity('team_entities', { comment: 'Which apps, domains, mail groups and systems a team has access to.' })
@Unique('team_entities_once', ['teamId', 'kind', 'objectId'])
@Index('team_entities_of_object', ['kind', 'objectId'])
@Check('team_entities_kind_known', `kind IN ('apps', 'domains', 'mailgroups', 'systems')`)
export class TeamEntity {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'team_entities_pkey',
  })
  id!: number;

  @Column({ name: 'team_id', type: 'integer' })
  @ForeignKey(() => Team, { name: 'team_entities_team_exists', onDelete: 'CASCADE' })
  teamId!: number;

  @Column({ type: 'varchar', length: 16 })
  kind!: TeamEntityKind;

  @Column({ name: 'object_id', type: 'integer' })
  objectId!: number;
}
