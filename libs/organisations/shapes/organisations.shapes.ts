import type { ListShape, ReplyShape, RequestShape } from '@app/core/wire/shapes';
import type {
  OrganisationChanges,
  OrganisationForReader,
  OrganisationOrder,
  OrganisationSearch,
  SubOrganisation,
  SubOrganisationOrder,
} from '../organisation.values';

/** The request and response shapes of organisations, in the running variant. */
export abstract class OrganisationsShapes {
  /** Body of `POST /organisations`. */
  abstract readonly creation: RequestShape<OrganisationChanges>;
  /** Body of `PUT` and `PATCH /organisations/{organisationId}`. */
  abstract readonly change: RequestShape<OrganisationChanges>;
  /** Answer of `POST /organisations`. */
  abstract readonly created: ReplyShape<OrganisationForReader>;
  /** Answer of `GET /organisations/{organisationId}`. */
  abstract readonly single: ReplyShape<OrganisationForReader>;
  /** Answer of `GET /organisations`. */
  abstract readonly list: ListShape<OrganisationForReader, OrganisationOrder, OrganisationSearch>;
  /** Answer of `GET /organisations/{organisationId}/organisations`. */
  abstract readonly subOrganisations: ListShape<SubOrganisation, SubOrganisationOrder>;
}
