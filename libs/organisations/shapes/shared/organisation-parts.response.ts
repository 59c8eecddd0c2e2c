import { ApiProperty } from '@nestjs/swagger';
import { countryById } from '@app/core/geography/countries';
import { emailOf } from '@app/core/text/email-address';
import type { OrganisationUser, Reseller } from '../../organisation.types';
import { USER } from './user.properties';

/** A country as answers show it, the same in both variants. */
export class CountryResponse {
  @ApiProperty({ description: 'ISO 3166-1 alpha-2 code', example: 'NL' })
  id!: string;

  @ApiProperty({ description: 'English name', example: 'Netherlands' })
  name!: string;
}

/** The reseller of an organisation as answers show it, the same in both variants. */
export class ResellerResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier of the reseller', example: 12 })
  id!: number;

  @ApiProperty({ description: 'Name of the reseller', example: 'Hosting Partners' })
  name!: string;

  @ApiProperty({ description: 'Tax number of the reseller', example: 'NL001234567B01' })
  taxNumber!: string;
}

/** A user in lists, the same in both variants. */
export class UserItemResponse {
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

  @ApiProperty(USER.roles)
  roles!: string[];
}

export function toCountryResponse(code: string | null): CountryResponse | null {
  const country = code === null ? undefined : countryById(code);
  return country === undefined ? null : { id: country.id, name: country.name };
}

export const toResellerResponse = (reseller: Reseller | null): ResellerResponse | null =>
  reseller === null ? null : { id: reseller.id, name: reseller.name, taxNumber: reseller.taxNumber };

export const toUserItemResponse = (user: Omit<OrganisationUser, 'enabled'>): UserItemResponse => ({
  id: user.id,
  username: user.username,
  email: emailOf(user.username),
  firstName: user.firstName,
  lastName: user.lastName,
  roles: [...user.roles],
});
