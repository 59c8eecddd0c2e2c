import { ApiProperty } from '@nestjs/swagger';
import { emailOf } from '@app/core/text/email-address';
import type { OrganisationUser, SubOrganisation } from '../../organisation.types';
import { CountryResponse, toCountryResponse } from '../shared/organisation-parts.response';
import { USER } from '../shared/user.properties';
import { ORGANISATION } from '../shared/organisation.properties';

class SubOrganisationUserResponse {
  @ApiProperty(USER.id)
  id!: number;

  @ApiProperty(USER.email)
  email!: string;

  @ApiProperty(USER.fullname)
  fullName!: string;

  @ApiProperty(USER.status)
  status!: string;
}

/** An organisation beneath another. */
export class SubOrganisationResponse {
  @ApiProperty(ORGANISATION.id)
  id!: number;

  @ApiProperty(ORGANISATION.name)
  name!: string;

  @ApiProperty(ORGANISATION.street)
  street!: string;

  @ApiProperty(ORGANISATION.houseNumber)
  houseNumber!: string;

  @ApiProperty(ORGANISATION.zip)
  zip!: string;

  @ApiProperty(ORGANISATION.city)
  city!: string;

  @ApiProperty({ type: CountryResponse, ...ORGANISATION.country })
  country!: CountryResponse | null;

  @ApiProperty({ type: [SubOrganisationUserResponse], ...ORGANISATION.users })
  users!: SubOrganisationUserResponse[];
}

export const toSubOrganisationResponse = (organisation: SubOrganisation): SubOrganisationResponse => ({
  id: organisation.id,
  name: organisation.name,
  street: organisation.street,
  houseNumber: organisation.houseNumber,
  zip: organisation.zip,
  city: organisation.city,
  country: toCountryResponse(organisation.countryCode),
  users: organisation.users.map(toUserResponse),
});

const toUserResponse = (user: OrganisationUser): SubOrganisationUserResponse => ({
  id: user.id,
  email: emailOf(user.username),
  fullName: `${user.firstName} ${user.lastName}`,
  status: user.enabled ? 'ok' : 'deactivated',
});
