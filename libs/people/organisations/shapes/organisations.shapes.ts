import type { RequestShape, ResponseShape } from '@app/platform/dto/shapes';
import type { ListShape } from '@app/platform/lists/list-request';
import type {
  OrganisationForReader,
  OrganisationOrder,
  SubOrganisation,
  SubOrganisationOrder,
} from '../organisation.columns';
import type { OrganisationSearch } from '../organisation.types';
import type { NewOrganisation, OrganisationChanges } from '../organisation-changes.types';

/** Requests and responses of organisations in the running variant. */
export abstract class OrganisationsShapes {
  /** Who sees the users of an organisation. */
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
