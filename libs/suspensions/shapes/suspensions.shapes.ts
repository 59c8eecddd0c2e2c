import { responseShape } from '@app/core/wire/shapes';
import { organisationActionShape } from './organisation-action.dto';
import { OrganisationStateResponse, toOrganisationStateResponse } from './organisation-state.response';

/** The request and response shapes of suspensions, which both variants have alike. */
export class SuspensionsShapes {
  /** Body of `POST …/actions`. */
  readonly action = organisationActionShape;
  /** Response of `GET` and `POST …/actions`. */
  readonly state = responseShape(OrganisationStateResponse, toOrganisationStateResponse);
}
