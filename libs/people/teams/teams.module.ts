import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TeamsShapes } from './shapes/teams.shapes';
import { Team, TeamEntity, TeamMember } from './team.entity';
import { TEAM_ENTITIES_CONTROLLERS } from './team-entities.controller';
import { TeamsController } from './teams.controller';
import { TeamsService } from './teams.service';

@Module({
  imports: [TypeOrmModule.forFeature([Team, TeamMember, TeamEntity])],
  controllers: [TeamsController, ...TEAM_ENTITIES_CONTROLLERS],
  providers: [TeamsService, TeamsShapes],
})
export class TeamsModule {}
