import { ApiProperty } from '@nestjs/swagger';
import type { TeamOfUser } from '../../user.types';
import { TEAM } from './team.properties';

/** A team of a user, except in the response of a login. */
export class TeamOfUserResponse {
  @ApiProperty(TEAM.id)
  id!: number;

  @ApiProperty(TEAM.name)
  name!: string;

  @ApiProperty(TEAM.autoAddSshkey)
  autoAddSshkey!: boolean;
}

export const toTeamOfUserResponse = (team: TeamOfUser): TeamOfUserResponse => ({
  id: team.id,
  name: team.name,
  autoAddSshkey: team.autoAddSshkey,
});
