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
import { USER } from '@app/organisations/shapes/shared/user.properties';

/** A user, except in the response of a login. */
export class UserResponse {
  @ApiProperty(USER.id)
  id!: number;

  @ApiProperty(USER.username)
  username!: string;

  @ApiProperty(USER.email)
  email!: string;

  @ApiProperty(USER.firstName)
  firstName!: string;

  @ApiProperty(USER.lastName)
  lastName!: string;

  @ApiProperty(USER.fullname)
  fullname!: string;

  @ApiProperty(USER.roles)
  roles!: string[];

  @ApiProperty(USER.status)
  status!: string;

  @ApiProperty(USER.statusCategory)
  statusCategory!: string;

  @ApiProperty(USER.language)
  language!: string;

  @ApiProperty({ type: OrganisationOfUserResponse, ...USER.organisation })
  organisation!: OrganisationOfUserResponse;

  @ApiProperty({ type: CountryResponse, ...USER.country })
  country!: CountryResponse | null;

  @ApiProperty({ type: [TeamOfUserResponse], ...USER.teams })
  teams!: TeamOfUserResponse[];
}

/** Response of everything that gives one user. */
export class SingleUserResponse {
  @ApiProperty({ type: UserResponse, description: 'The user' })
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
