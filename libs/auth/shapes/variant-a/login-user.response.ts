import { ApiProperty } from '@nestjs/swagger';
import { statusCategory } from '@app/core/status/status';
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

/** The user in the response of a login. */
export class LoginUserResponse {
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

  @ApiProperty({ enum: ['disabled', 'requested', 'enabled'] })
  status2fa!: string;

  @ApiProperty({ enum: ['nl', 'en', 'fr'] })
  language!: string;

  @ApiProperty({ type: LoginOrganisationResponse })
  organisation!: LoginOrganisationResponse;

  @ApiProperty({ type: CountryResponse, nullable: true, description: 'The country of the organisation' })
  country!: CountryResponse | null;

  @ApiProperty({ type: [LoginTeamResponse] })
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
  statusCategory: statusCategory(userStatus(user)),
  status2fa: user.secondFactor,
  language: user.language,
  organisation: toLoginOrganisationResponse(user.organisation),
  country: toCountryResponse(user.organisation.countryCode),
  teams: user.teams.map(toLoginTeamResponse),
});
