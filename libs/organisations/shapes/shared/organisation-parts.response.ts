import { ApiProperty } from '@nestjs/swagger';
import { countryById } from '@app/core/geography/countries';
import type { OrganisationUser, Reseller } from '../../organisation.types';

/** A country as answers show it, the same in both variants. */
export class CountryResponse {
  @ApiProperty({ description: 'ISO 3166-1 alpha-2 code', example: 'NL' })
  id!: string;

  @ApiProperty({ description: 'English name', example: 'Netherlands' })
  name!: string;
}

/** The reseller of an organisation as answers show it, the same in both variants. */
export class ResellerResponse {
  @ApiProperty({ type: 'integer', example: 12 })
  id!: number;

  @ApiProperty({ example: 'Hosting Partners' })
  name!: string;

  @ApiProperty({ example: 'NL001234567B01' })
  taxNumber!: string;
}

/** A user in lists, the same in both variants. */
export class UserItemResponse {
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

  @ApiProperty({ type: [String], example: ['ROLE_CUSTADMIN'] })
  roles!: string[];
}

export function toCountryResponse(code: string | null): CountryResponse | null {
  const country = code === null ? undefined : countryById(code);
  return country === undefined ? null : { id: country.id, name: country.name };
}

export const toResellerResponse = (reseller: Reseller | null): ResellerResponse | null =>
  reseller === null ? null : { id: reseller.id, name: reseller.name, taxNumber: reseller.taxNumber };

/** The e-mail address follows the user name; a login name of Variant B has none. */
export const emailOf = (username: string): string => (username.includes('@') ? username : '');

export const toUserItemResponse = (user: Omit<OrganisationUser, 'enabled'>): UserItemResponse => ({
  id: user.id,
  username: user.username,
  email: emailOf(user.username),
  firstName: user.firstName,
  lastName: user.lastName,
  roles: [...user.roles],
});
