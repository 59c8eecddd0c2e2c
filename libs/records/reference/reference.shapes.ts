import { CONTACT_GROUPS } from '@app/people/contacts/contact.types';
import type { Country } from '@app/people/organisations/countries';
import type { OrganisationType } from '@app/people/organisations/organisation.entity';
import { ResponseField, responseShape } from '@app/platform/dto/shapes';
import { ROLES } from '@app/security/access/roles';
import type { Described } from './reference.service';

class ListedCountryResponse {
  @ResponseField({
    description: 'ISO 3166-1 alpha-2 code, as `country` of an organisation takes it',
    example: 'NL',
  })
  id!: string;

  @ResponseField({ description: 'Name in the language of the answer', example: 'Netherlands' }) name!: string;
}

class CountryListResponse {
  @ResponseField({ type: [ListedCountryResponse], description: 'Every country, by name' })
  countries!: ListedCountryResponse[];
}

class ListedOrganisationTypeResponse {
  @ResponseField({ description: 'The identifier as text', example: '1' }) id!: string;

  @ResponseField({
    type: 'integer',
    description: 'Identifier of the type, as `organisationType` of an organisation takes it',
    example: 1,
  })
  identifier!: number;

  @ResponseField({ description: 'What it is called in the language of the answer', example: 'Customer' })
  description!: string;
}

class OrganisationTypeListResponse {
  @ResponseField({ type: [ListedOrganisationTypeResponse], description: 'Every type, by identifier' })
  organisationTypes!: ListedOrganisationTypeResponse[];
}

class ListedRoleResponse {
  @ResponseField({ enum: [...ROLES], description: 'Name of the role, as requests and answers have it' })
  name!: string;

  @ResponseField({
    description: 'What it is for, in the language of the answer',
    example: 'Invoices and payments',
  })
  description!: string;
}

class RoleListResponse {
  @ResponseField({ type: [ListedRoleResponse], description: 'Every role, in the order of answers' })
  roles!: ListedRoleResponse[];
}

class ListedGroupResponse {
  @ResponseField({ enum: [...CONTACT_GROUPS], description: 'Name of the group, as contacts have it' })
  name!: string;

  @ResponseField({ description: 'What it tells of, in the language of the answer', example: 'Domains' })
  description!: string;
}

class NotificationGroupListResponse {
  @ResponseField({ type: [ListedGroupResponse], description: 'Every group, in the order of answers' })
  notificationGroups!: ListedGroupResponse[];
}

const toListedType = (type: OrganisationType): ListedOrganisationTypeResponse => ({
  id: String(type.identifier),
  identifier: type.identifier,
  description: type.description,
});

/** Responses of reference data, the same in both variants. */
export class ReferenceShapes {
  readonly countries = responseShape(CountryListResponse, (countries: readonly Country[]) => ({
    countries: countries.map(({ id, name }) => ({ id, name })),
  }));
  readonly organisationTypes = responseShape(
    OrganisationTypeListResponse,
    (types: readonly OrganisationType[]) => ({ organisationTypes: types.map(toListedType) }),
  );
  readonly roles = responseShape(RoleListResponse, (roles: readonly Described[]) => ({ roles: [...roles] }));
  readonly notificationGroups = responseShape(
    NotificationGroupListResponse,
    (groups: readonly Described[]) => ({ notificationGroups: [...groups] }),
  );
}
