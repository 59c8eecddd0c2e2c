import { responseShape } from '@app/core/wire/shapes';
import { BillingOfOrganisationResponse, toBillingResponse } from './billing.response';
import type { Billing } from './billing.types';
import { updateBillingShape } from './update-billing.dto';

/** The request and response shapes of billing's own fields, which both variants have alike. */
export class BillingShapes {
  /** Body of PUT and PATCH. */
  readonly update = updateBillingShape;
  /** Response of GET. */
  readonly single = responseShape(BillingOfOrganisationResponse, (billing: Billing) => ({
    billing: toBillingResponse(billing),
  }));
}
