import { ApiProperty } from '@nestjs/swagger';
import { ROLES } from '@app/core/access/roles';
import type { Country } from '@app/core/geography/countries';
import { CONTACT_GROUPS } from '@app/contacts/contact.types';
import type { OrganisationType } from '@app/organisations/organisation-type.entity';
import type { Described } from '../reference.types';

class ListedCountryResponse {
  @ApiProperty({
    description: 'ISO 3166-1 alpha-2 code, as `country` of an organisation takes it',
    example: 'NL',
  })
  id!: string;

  @ApiProperty({ description: 'Name in the language of the answer', example: 'Netherlands' })
  name!: string;
}

/** Response of `GET /countries`. */
export class CountryListResponse {
  @ApiProperty({ type: [ListedCountryResponse], description: 'Every country, by name' })
  countries!: ListedCountryResponse[];
}

class ListedOrganisationTypeResponse {
  @ApiProperty({ description: 'The identifier as text', example: '1' })
  id!: string;

  @ApiProperty({
    type: 'integer',
    description: 'Identifier of the type, as `organisationType` of an organisation takes it',
    example: 1,
  })
  identifier!: number;

  @ApiProperty({ description: 'What it is called in the language of the answer', example: 'Customer' })
  description!: string;
}

/** Response of `GET /organisationTypes`. */
export class OrganisationTypeListResponse {
  @ApiProperty({ type: [ListedOrganisationTypeResponse], description: 'Every type, by identifier' })
  organisationTypes!: ListedOrganisationTypeResponse[];
}

class ListedRoleResponse {
  @ApiProperty({ enum: [...ROLES], description: 'Name of the role, as requests and answers have it' })
  name!: string;

  @ApiProperty({
    description: 'What it is for, in the language of the answer',
    example: 'Invoices and payments',
  })
  description!: string;
}

/** Response of `GET /roles`. */
export class RoleListResponse {
  @ApiProperty({ type: [ListedRoleResponse], description: 'Every role, in the order of answers' })
  roles!: ListedRoleResponse[];
}

class ListedGroupResponse {
  @ApiProperty({ enum: [...CONTACT_GROUPS], description: 'Name of the group, as contacts have it' })
  name!: string;

  @ApiProperty({ description: 'What it tells of, in the language of the answer', example: 'Domains' })
  description!: string;
}

/** Response of `GET /notificationGroups`. */
export class NotificationGroupListResponse {
  @ApiProperty({ type: [ListedGroupResponse], description: 'Every group, in the order of answers' })
  notificationGroups!: ListedGroupResponse[];
}

export const toListedCountry = ({ id, name }: Country): ListedCountryResponse => ({ id, name });

export const toListedType = (type: OrganisationType): ListedOrganisationTypeResponse => ({
  id: String(type.identifier),
  identifier: type.identifier,
  description: type.description,
});

export const toListedRole = ({ name, description }: Described): ListedRoleResponse => ({ name, description });

export const toListedGroup = ({ name, description }: Described): ListedGroupResponse => ({
  name,
  description,
});
