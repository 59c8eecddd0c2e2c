import { ApiProperty } from '@nestjs/swagger';
import { statusCategory } from '@app/core/status/status';
import {
  CountryReply,
  countryReply,
  emailOf,
  ResellerReply,
  resellerReply,
} from '@app/organisations/shapes/parts';
import { fullNameOf, OrganisationTypeOfUserReply, userStatus } from '@app/users/shapes/parts';
import type { OrganisationOfUser, TeamOfUser, UserDetails } from '@app/users/user.values';

class LoginOrganisationA {
  @ApiProperty({ type: 'integer', example: 12 })
  id!: number;

  @ApiProperty({ example: 'Bakkerij de Vries' })
  name!: string;

  @ApiProperty()
  street!: string;

  @ApiProperty()
  houseNumber!: string;

  @ApiProperty()
  zip!: string;

  @ApiProperty()
  city!: string;

  @ApiProperty({ type: ResellerReply, nullable: true })
  reseller!: ResellerReply | null;

  @ApiProperty({ type: OrganisationTypeOfUserReply })
  organisationType!: OrganisationTypeOfUserReply;

  @ApiProperty()
  updateEntitiesOnly!: boolean;

  @ApiProperty()
  prePaymentRequired!: boolean;

  @ApiProperty({ type: 'integer', enum: [0, 1, 2] })
  externalInfoRequired!: number;

  @ApiProperty({ type: 'integer', default: 0 })
  agencyMode!: number;
}

class LoginTeamA {
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

/** The user of a login answer in Variant A. */
export class LoginUserA {
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

  @ApiProperty({ type: LoginOrganisationA })
  organisation!: LoginOrganisationA;

  @ApiProperty({ type: CountryReply, nullable: true, description: 'The country of the organisation' })
  country!: CountryReply | null;

  @ApiProperty({ type: [LoginTeamA] })
  teams!: LoginTeamA[];
}

export const loginUserA = (user: UserDetails): LoginUserA => ({
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
  organisation: loginOrganisation(user.organisation),
  country: countryReply(user.organisation.countryCode),
  teams: user.teams.map(loginTeam),
});

const loginOrganisation = (organisation: OrganisationOfUser): LoginOrganisationA => ({
  id: organisation.id,
  name: organisation.name,
  street: organisation.street,
  houseNumber: organisation.houseNumber,
  zip: organisation.zip,
  city: organisation.city,
  reseller: resellerReply(organisation.reseller),
  organisationType: { identifier: organisation.organisationType },
  updateEntitiesOnly: organisation.updateEntitiesOnly,
  prePaymentRequired: organisation.prePaymentRequired,
  externalInfoRequired: organisation.externalInfoRequired,
  agencyMode: organisation.agencyMode,
});

const loginTeam = (team: TeamOfUser): LoginTeamA => ({
  id: team.id,
  name: team.name,
  autoAddSshkey: team.autoAddSshkey,
  status: 'ok',
  statusCategory: statusCategory('ok'),
});
