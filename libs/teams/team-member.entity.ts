import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { User } from '@app/users/user.entity';
import { Team } from './team.entity';

/** A membership: the user works in the team. */
@Entity('team_members')
@Unique('team_members_once', ['teamId', 'userId'])
@Index('team_members_of_user', ['userId'])
export class TeamMember {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'team_members_pkey',
  })
  id!: number;

  @Column({ name: 'team_id', type: 'integer' })
  @ForeignKey(() => Team, { name: 'team_members_team_exists', onDelete: 'CASCADE' })
  teamId!: number;

  @Column({ name: 'user_id', type: 'integer' })
  @ForeignKey(() => User, { name: 'team_members_user_exists' })
  userId!: number;
}
