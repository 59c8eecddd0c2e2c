import { ApiProperty } from '@nestjs/swagger';
import type { TeamOfUser } from '../../user.types';

/** A team of a user, except in the response of a login. */
export class TeamOfUserResponse {
  @ApiProperty({ type: 'integer', example: 5 })
  id!: number;

  @ApiProperty({ example: 'Web' })
  name!: string;

  @ApiProperty()
  autoAddSshkey!: boolean;
}

export const toTeamOfUserResponse = (team: TeamOfUser): TeamOfUserResponse => ({
  id: team.id,
  name: team.name,
  autoAddSshkey: team.autoAddSshkey,
});
