import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TEAM_ENTITIES_CONTROLLERS } from './team-entities.controllers';
import { TeamEntity } from './team-entity.entity';
import { TeamMember } from './team-member.entity';
import { Team } from './team.entity';
import { TeamsController } from './teams.controller';
import { TeamsService } from './teams.service';

@Module({
  imports: [TypeOrmModule.forFeature([Team, TeamMember, TeamEntity])],
  controllers: [TeamsController, ...TEAM_ENTITIES_CONTROLLERS],
  providers: [TeamsService],
})
export class TeamsModule {}
