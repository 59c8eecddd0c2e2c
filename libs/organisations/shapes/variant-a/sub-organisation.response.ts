import { ApiProperty } from '@nestjs/swagger';
import { statusCategory } from '@app/core/status/status';
import type { OrganisationUser, SubOrganisation } from '../../organisation.types';
import { CountryResponse, toCountryResponse, emailOf } from '../shared/organisation-parts.response';

class SubOrganisationUserResponse {
  @ApiProperty({ type: 'integer', example: 34 })
  id!: number;

  @ApiProperty({ example: 'jan@example.nl' })
  email!: string;

  @ApiProperty({ example: 'Jan de Vries' })
  fullName!: string;

  @ApiProperty({ example: 'ok' })
  status!: string;

  @ApiProperty({ example: 'green' })
  statusCategory!: string;
}

/** An organisation beneath another. */
export class SubOrganisationResponse {
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

  @ApiProperty({ type: CountryResponse, nullable: true })
  country!: CountryResponse | null;

  @ApiProperty({ description: 'Id of the parent', example: '1' })
  parentOrganisation!: string;

  @ApiProperty({ type: [SubOrganisationUserResponse] })
  users!: SubOrganisationUserResponse[];

  @ApiProperty({ type: 'integer', description: 'Open invitations' })
  invitationCount!: number;
}

export const toSubOrganisationResponse = (organisation: SubOrganisation): SubOrganisationResponse => ({
  id: organisation.id,
  name: organisation.name,
  street: organisation.street,
  houseNumber: organisation.houseNumber,
  zip: organisation.zip,
  city: organisation.city,
  country: toCountryResponse(organisation.countryCode),
  parentOrganisation: organisation.parentId === null ? '' : String(organisation.parentId),
  users: organisation.users.map(toUserResponse),
  invitationCount: organisation.openInvitations,
});

const toUserResponse = (user: OrganisationUser): SubOrganisationUserResponse => ({
  id: user.id,
  email: emailOf(user.username),
  fullName: `${user.firstName} ${user.lastName}`,
  status: user.enabled ? 'ok' : 'deactivated',
  statusCategory: statusCategory(user.enabled ? 'ok' : 'deactivated'),
});
