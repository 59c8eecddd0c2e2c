import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/core/errors/constraint-errors.module';
import { TeamsShapes } from './shapes/teams.shapes';
import { TEAM_ENTITIES_CONTROLLERS } from './team-entities.controllers';
import { TeamEntity } from './team-entity.entity';
import { TeamMember } from './team-member.entity';
import { Team } from './team.entity';
import { TeamDeletion, TeamMemberDeletion } from './teams.deletion';
import { TeamMemberPersonalData } from './teams.privacy';
import { TeamsController } from './teams.controller';
import { TeamContents } from './team-contents';
import { TeamsService } from './teams.service';
import { TEAM_CONSTRAINT_ERRORS } from './teams.errors';

@Module({
  imports: [
    TypeOrmModule.forFeature([Team, TeamMember, TeamEntity]),
    ConstraintErrorsModule.forFeature(TEAM_CONSTRAINT_ERRORS),
  ],
  controllers: [TeamsController, ...TEAM_ENTITIES_CONTROLLERS],
  providers: [
    TeamContents,
    TeamsService,
    TeamsShapes,
    TeamDeletion,
    TeamMemberDeletion,
    TeamMemberPersonalData,
  ],
})
export class TeamsModule {}
