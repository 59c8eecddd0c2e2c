import { emailOf } from '@app/formats/email-address';
import {
  ORGANISATION,
  ResellerResponse,
  toResellerResponse,
  USER,
} from '@app/people/organisations/shapes/shared/organisation-parts.response';
import type { FieldDescription } from '@app/platform/dto/described-fields';
import { ResponseField } from '@app/platform/dto/shapes';
import type { Status } from '../../../organisations/status';
import type { OrganisationOfUser, TeamOfUser, UserDetails } from '../../user.columns';
import { fullNameOf } from '../../user-names';

/** Describes the fields of a team, in requests and responses. */
export const TEAM = {
  id: { type: 'integer', description: 'Identifier of the team', example: 5 },
  name: { description: 'Name, unique in the organisation without regard to case', example: 'Web' },
  autoAddSshkey: {
    type: 'boolean',
    description: 'Whether SSH keys of members go on the systems of the team',
  },
} as const satisfies Readonly<Record<string, FieldDescription>>;

/** The first fields of every response with one user, including the login's. */
export class UserHeadResponse {
  @ResponseField(USER.id) id!: number;
  @ResponseField(USER.username) username!: string;
  @ResponseField(USER.email) email!: string;
  @ResponseField(USER.firstName) firstName!: string;
  @ResponseField(USER.lastName) lastName!: string;
  @ResponseField(USER.fullname) fullname!: string;
  @ResponseField(USER.roles) roles!: string[];
  @ResponseField(USER.status) status!: string;
}

export const toUserHeadResponse = (user: UserDetails): UserHeadResponse => ({
  id: user.id,
  username: user.username,
  email: emailOf(user.username),
  firstName: user.firstName,
  lastName: user.lastName,
  fullname: fullNameOf(user),
  roles: [...user.roles],
  status: userStatus(user),
});

/** A team of a user. */
export class TeamOfUserResponse {
  @ResponseField(TEAM.id) id!: number;
  @ResponseField(TEAM.name) name!: string;
  @ResponseField(TEAM.autoAddSshkey) autoAddSshkey!: boolean;
}

export const toTeamOfUserResponse = (team: TeamOfUser): TeamOfUserResponse => ({
  id: team.id,
  name: team.name,
  autoAddSshkey: team.autoAddSshkey,
});

/** The type of a user's organisation. */
export class OrganisationTypeOfUserResponse {
  @ResponseField({ type: 'integer', description: '1 Customer, 2 Reseller, 3 Operator', example: 1 })
  identifier!: number;
}

/** The organisation of a user. */
export class OrganisationOfUserResponse {
  @ResponseField(ORGANISATION.id) id!: number;
  @ResponseField(ORGANISATION.name) name!: string;
  @ResponseField(ORGANISATION.street) street!: string;
  @ResponseField(ORGANISATION.houseNumber) houseNumber!: string;
  @ResponseField(ORGANISATION.zip) zip!: string;
  @ResponseField(ORGANISATION.city) city!: string;
  @ResponseField({ type: ResellerResponse, ...ORGANISATION.resellerOrganisation })
  reseller!: ResellerResponse | null;

  @ResponseField({ type: OrganisationTypeOfUserResponse, ...ORGANISATION.organisationType })
  organisationType!: OrganisationTypeOfUserResponse;
}

export const toOrganisationOfUserResponse = (
  organisation: OrganisationOfUser,
): OrganisationOfUserResponse => ({
  id: organisation.id,
  name: organisation.name,
  street: organisation.street,
  houseNumber: organisation.houseNumber,
  zip: organisation.zip,
  city: organisation.city,
  reseller: toResellerResponse(organisation.reseller),
  organisationType: { identifier: organisation.organisationType },
});

/** The status word of a user (rule users 4). */
export const userStatus = (user: Pick<UserDetails, 'enabled'>): Status =>
  user.enabled ? 'ok' : 'deactivated';
