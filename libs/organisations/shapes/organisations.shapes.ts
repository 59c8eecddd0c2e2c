import type { ListShape, ResponseShape, RequestShape } from '@app/core/wire/shapes';
import type {
  NewOrganisation,
  OrganisationChanges,
  OrganisationForReader,
  OrganisationOrder,
  OrganisationSearch,
  SubOrganisation,
  SubOrganisationOrder,
} from '../organisation.types';

/** The request and response shapes of organisations, in the running variant. */
export abstract class OrganisationsShapes {
  /** Who is shown the users of an organisation, in the list and one by one. */
  abstract readonly usersShownTo: 'all' | 'admin';
  /** Body of `POST /organisations`. */
  abstract readonly create: RequestShape<NewOrganisation>;
  /** Body of `PUT` and `PATCH /organisations/{organisationId}`. */
  abstract readonly update: RequestShape<OrganisationChanges>;
  /** Response of `POST /organisations`. */
  abstract readonly created: ResponseShape<OrganisationForReader>;
  /** Response of `GET /organisations/{organisationId}`. */
  abstract readonly single: ResponseShape<OrganisationForReader>;
  /** Response of `GET /organisations`. */
  abstract readonly list: ListShape<OrganisationForReader, OrganisationOrder, OrganisationSearch>;
  /** Response of `GET /organisations/{organisationId}/organisations`. */
  abstract readonly subOrganisations: ListShape<SubOrganisation, SubOrganisationOrder>;
}
