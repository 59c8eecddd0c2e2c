import { ApiProperty } from '@nestjs/swagger';
import { statusCategory } from '@app/core/status/status';
import { emailOf } from '@app/core/text/email-address';
import { fullNameOf } from '@app/core/text/person-name';
import {
  CountryResponse,
  toCountryResponse,
} from '@app/organisations/shapes/shared/organisation-parts.response';
import type { UserDetails } from '../../user.types';
import {
  OrganisationOfUserResponse,
  toOrganisationOfUserResponse,
} from '../shared/organisation-of-user.response';
import { TeamOfUserResponse, toTeamOfUserResponse } from '../shared/team-of-user.response';
import { userStatus } from '../shared/user-status';

/** A user, except in the response of a login. */
export class UserResponse {
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

  @ApiProperty({ type: OrganisationOfUserResponse })
  organisation!: OrganisationOfUserResponse;

  @ApiProperty({ type: CountryResponse, nullable: true, description: 'The country of the organisation' })
  country!: CountryResponse | null;

  @ApiProperty({ type: [TeamOfUserResponse] })
  teams!: TeamOfUserResponse[];
}

/** Response of everything that gives one user. */
export class SingleUserResponse {
  @ApiProperty({ type: UserResponse })
  user!: UserResponse;
}

export const toUserResponse = (user: UserDetails): UserResponse => ({
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
  organisation: toOrganisationOfUserResponse(user.organisation),
  country: toCountryResponse(user.organisation.countryCode),
  teams: user.teams.map(toTeamOfUserResponse),
});
