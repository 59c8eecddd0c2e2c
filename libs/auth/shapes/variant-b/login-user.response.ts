import { ApiProperty } from '@nestjs/swagger';
import { emailOf } from '@app/core/text/email-address';
import { fullNameOf } from '@app/core/text/person-name';
import {
  CountryResponse,
  toCountryResponse,
} from '@app/organisations/shapes/shared/organisation-parts.response';
import { userStatus } from '@app/users/shapes/shared/user-status';
import type { UserDetails } from '@app/users/user.types';
import {
  LoginOrganisationResponse,
  toLoginOrganisationResponse,
} from '../shared/login-organisation.response';
import { LoginTeamResponse, toLoginTeamResponse } from '../shared/login-team.response';
import { USER } from '@app/organisations/shapes/shared/user.properties';

/** The user in the response of a login. */
export class LoginUserResponse {
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

  @ApiProperty(USER.status2fa)
  status2fa!: string;

  @ApiProperty(USER.language)
  language!: string;

  @ApiProperty({ type: LoginOrganisationResponse, ...USER.organisation })
  organisation!: LoginOrganisationResponse;

  @ApiProperty({ type: CountryResponse, ...USER.country })
  country!: CountryResponse | null;

  @ApiProperty({ type: [LoginTeamResponse], ...USER.teams })
  teams!: LoginTeamResponse[];
}

export const toLoginUserResponse = (user: UserDetails): LoginUserResponse => ({
  id: user.id,
  username: user.username,
  email: emailOf(user.username),
  firstName: user.firstName,
  lastName: user.lastName,
  fullname: fullNameOf(user),
  roles: [...user.roles],
  status: userStatus(user),
  status2fa: user.secondFactor,
  language: user.language,
  organisation: toLoginOrganisationResponse(user.organisation),
  country: toCountryResponse(user.organisation.countryCode),
  teams: user.teams.map(toLoginTeamResponse),
});
