import { ApiProperty } from '@nestjs/swagger';
import { statusCategory } from '@app/core/status/status';
import { CountryReply, countryReply, emailOf } from '@app/organisations/shapes/parts';
import type { UserDetails } from '../../user.values';
import {
  fullNameOf,
  OrganisationOfUserReply,
  organisationOfUserReply,
  TeamOfUserReply,
  teamOfUserReply,
  userStatus,
} from '../parts';

/** A user in Variant A, outside login answers. */
export class UserReplyA {
  @ApiProperty({ type: 'integer', example: 34 })
  id!: number;

  @ApiProperty({ example: 'jan@example.nl' })
  username!: string;

  @ApiProperty({ description: 'The user name where it is an address, else empty', example: 'jan@example.nl' })
  email!: string;

  @ApiProperty({ example: 'Jan' })
  firstName!: string;

  @ApiProperty({ example: 'de Vries' })
  lastName!: string;

  @ApiProperty({ example: 'Jan de Vries' })
  fullname!: string;

  @ApiProperty({ type: [String], example: ['ROLE_CUSTADMIN'] })
  roles!: string[];

  @ApiProperty({ enum: ['ok', 'deactivated'] })
  status!: string;

  @ApiProperty({ enum: ['green', 'grey'] })
  statusCategory!: string;

  @ApiProperty({ enum: ['nl', 'en', 'fr'] })
  language!: string;

  @ApiProperty({ type: OrganisationOfUserReply })
  organisation!: OrganisationOfUserReply;

  @ApiProperty({ type: CountryReply, nullable: true, description: 'The country of the organisation' })
  country!: CountryReply | null;

  @ApiProperty({ type: [TeamOfUserReply] })
  teams!: TeamOfUserReply[];
}

export const userReplyA = (user: UserDetails): UserReplyA => ({
  id: user.id,
  username: user.username,
  email: emailOf(user.username),
  firstName: user.firstName,
  lastName: user.lastName,
  fullname: fullNameOf(user),
  roles: [...user.roles],
  status: userStatus(user),
  statusCategory: statusCategory(userStatus(user)),
  language: user.language,
  organisation: organisationOfUserReply(user.organisation),
  country: countryReply(user.organisation.countryCode),
  teams: user.teams.map(teamOfUserReply),
});
