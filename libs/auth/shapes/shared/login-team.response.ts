import { ApiProperty } from '@nestjs/swagger';
import { statusCategory } from '@app/core/status/status';
import type { TeamOfUser } from '@app/users/user.types';
import { TEAM } from '@app/users/shapes/shared/team.properties';

/** A team of the user who logged in. */
export class LoginTeamResponse {
  @ApiProperty(TEAM.id)
  id!: number;

  @ApiProperty(TEAM.name)
  name!: string;

  @ApiProperty(TEAM.autoAddSshkey)
  autoAddSshkey!: boolean;

  @ApiProperty({ description: 'Status of the team', example: 'ok' })
  status!: string;

  @ApiProperty({ description: 'The colour of the status', example: 'green' })
  statusCategory!: string;
}

export const toLoginTeamResponse = (team: TeamOfUser): LoginTeamResponse => ({
  id: team.id,
  name: team.name,
  autoAddSshkey: team.autoAddSshkey,
  status: 'ok',
  statusCategory: statusCategory('ok'),
});
