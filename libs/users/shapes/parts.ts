import { ApiProperty } from '@nestjs/swagger';
import type { Status } from '@app/core/status/status';
import { ResellerReply, resellerReply } from '@app/organisations/shapes/parts';
import type { OrganisationOfUser, TeamOfUser, UserDetails } from '../user.values';

/** The type of a user's organisation, the same in both variants. */
export class OrganisationTypeOfUserReply {
  @ApiProperty({ type: 'integer', example: 1 })
  identifier!: number;
}

/** The organisation of a user outside login answers, the same in both variants. */
export class OrganisationOfUserReply {
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
}

/** A team of a user outside login answers, the same in both variants. */
export class TeamOfUserReply {
  @ApiProperty({ type: 'integer', example: 5 })
  id!: number;

  @ApiProperty({ example: 'Web' })
  name!: string;

  @ApiProperty()
  autoAddSshkey!: boolean;
}

export const organisationOfUserReply = (organisation: OrganisationOfUser): OrganisationOfUserReply => ({
  id: organisation.id,
  name: organisation.name,
  street: organisation.street,
  houseNumber: organisation.houseNumber,
  zip: organisation.zip,
  city: organisation.city,
  reseller: resellerReply(organisation.reseller),
  organisationType: { identifier: organisation.organisationType },
});

export const teamOfUserReply = (team: TeamOfUser): TeamOfUserReply => ({
  id: team.id,
  name: team.name,
  autoAddSshkey: team.autoAddSshkey,
});

/** The status word of a user (decisions.md section 6). */
export const userStatus = (user: Pick<UserDetails, 'enabled'>): Status =>
  user.enabled ? 'ok' : 'deactivated';

export const fullNameOf = (user: Pick<UserDetails, 'firstName' | 'lastName'>): string =>
  `${user.firstName} ${user.lastName}`;
