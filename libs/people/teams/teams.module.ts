import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/platform/errors/constraint-errors';
import { TeamsShapes } from './shapes/teams.shapes';
import { TEAM_ENTITIES_CONTROLLERS } from './team-entities.controllers';
import { Team, TeamEntity, TeamMember } from './team.entity';
import { TeamsController } from './teams.controller';
import { TeamsService } from './teams.service';
import { TEAM_CONSTRAINT_ERRORS } from './team.types';

@Module({
  imports: [
    TypeOrmModule.forFeature([Team, TeamMember, TeamEntity]),
    ConstraintErrorsModule.forFeature(TEAM_CONSTRAINT_ERRORS),
  ],
  controllers: [TeamsController, ...TEAM_ENTITIES_CONTROLLERS],
  providers: [TeamsService, TeamsShapes],
})
export class TeamsModule {}
