import { ApiProperty } from '@nestjs/swagger';
import { statusCategory } from '@app/core/status/status';
import type { TeamOfUser } from '@app/users/user.types';

/** A team of the user who logged in. */
export class LoginTeamResponse {
  @ApiProperty({ type: 'integer', example: 5 })
  id!: number;

  @ApiProperty({ example: 'Web' })
  name!: string;

  @ApiProperty()
  autoAddSshkey!: boolean;

  @ApiProperty({ example: 'ok' })
  status!: string;

  @ApiProperty({ example: 'green' })
  statusCategory!: string;
}

export const toLoginTeamResponse = (team: TeamOfUser): LoginTeamResponse => ({
  id: team.id,
  name: team.name,
  autoAddSshkey: team.autoAddSshkey,
  status: 'ok',
  statusCategory: statusCategory('ok'),
});
