import type { Country } from '@app/core/geography/countries';
import { responseShape } from '@app/core/wire/shapes';
import type { OrganisationType } from '@app/organisations/organisation-type.entity';
import type { Described } from '../reference.types';
import {
  CountryListResponse,
  NotificationGroupListResponse,
  OrganisationTypeListResponse,
  RoleListResponse,
  toListedCountry,
  toListedGroup,
  toListedRole,
  toListedType,
} from './reference.response';

/** The response shapes of reference data, which both variants have alike. */
export class ReferenceShapes {
  readonly countries = responseShape(CountryListResponse, (countries: readonly Country[]) => ({
    countries: countries.map(toListedCountry),
  }));
  readonly organisationTypes = responseShape(
    OrganisationTypeListResponse,
    (types: readonly OrganisationType[]) => ({ organisationTypes: types.map(toListedType) }),
  );
  readonly roles = responseShape(RoleListResponse, (roles: readonly Described[]) => ({
    roles: roles.map(toListedRole),
  }));
  readonly notificationGroups = responseShape(
    NotificationGroupListResponse,
    (groups: readonly Described[]) => ({
      notificationGroups: groups.map(toListedGroup),
    }),
  );
}
