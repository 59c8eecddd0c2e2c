import { AccessDenied, BadRequest } from '@app/core/errors/api-error';
import type { ConstraintErrors } from '@app/core/errors/constraint-errors';

const OPERATOR_STAYS = 'The operator organisation can not be disabled';

export const SUSPENSION_CONSTRAINT_ERRORS: ConstraintErrors = {
  suspensions_operator_stays: { reason: 'OPERATOR_ORGANISATION', message: OPERATOR_STAYS },
};

/** 400: what the constraint says, for the interface description. */
export class OperatorIsNotDisabled extends BadRequest {
  constructor() {
    super(OPERATOR_STAYS, 'OPERATOR_ORGANISATION');
  }
}

/** 403: a reseller does not undo what the operator, or a reseller above it, has done to its customer. */
export class SuspendedFromAbove extends AccessDenied {
  constructor() {
    super('The organisation was disabled from above, and is enabled from there', 'SUSPENDED_FROM_ABOVE');
  }
}
