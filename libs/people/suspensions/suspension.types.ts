import { BadRequest, type ConstraintErrors } from '@app/platform/errors/api-error';

/** Body of `POST /organisations/{organisationId}/actions`. */
export interface OrganisationAction {
  type: 'enable' | 'disable';
  reason: string;
  /**
   * Undefined: disabling does not change organisations beneath; enabling also lifts
   * their part of the suspension.
   */
  withSubOrganisations?: boolean;
}

const OPERATOR_STAYS = 'The operator organisation cannot be disabled';

export const SUSPENSION_CONSTRAINT_ERRORS: ConstraintErrors = {
  suspensions_operator_stays: { reason: 'OPERATOR_ORGANISATION', message: OPERATOR_STAYS },
};

/** 400: the error of the constraint, for the interface description. */
export const operatorIsNotDisabled = (): BadRequest =>
  new BadRequest(OPERATOR_STAYS, 'OPERATOR_ORGANISATION');
