import { BadRequest } from '@app/core/errors/api-error';
import type { ConstraintErrors } from '@app/core/errors/constraint-errors';

export const ORGANISATION_CONSTRAINT_ERRORS: ConstraintErrors = {
  organisations_parent_exists: {
    field: 'parentOrganisation',
    reason: 'DOES_NOT_EXIST',
    message: 'This organisation does not exist.',
  },
  organisations_reseller_exists: {
    field: 'resellerOrganisation',
    reason: 'DOES_NOT_EXIST',
    message: 'This organisation does not exist.',
  },
  organisations_parent_no_circle: {
    field: 'parentOrganisation',
    reason: 'CIRCLE',
    message: 'An organisation can not lie beneath itself.',
  },
  organisations_reseller_no_circle: {
    field: 'resellerOrganisation',
    reason: 'CIRCLE',
    message: 'An organisation can not lie beneath itself.',
  },
  organisations_parent_depth: {
    field: 'parentOrganisation',
    reason: 'TOO_DEEP',
    message: 'At most 32 organisations can lie on one way from the operator organisation.',
  },
  organisations_reseller_depth: {
    field: 'resellerOrganisation',
    reason: 'TOO_DEEP',
    message: 'At most 32 organisations can lie on one way from the operator organisation.',
  },
  organisations_not_its_own_parent: {
    field: 'parentOrganisation',
    reason: 'ITSELF',
    message: 'An organisation can not be its own parent.',
  },
  organisations_not_its_own_reseller: {
    field: 'resellerOrganisation',
    reason: 'ITSELF',
    message: 'An organisation can not be its own reseller.',
  },
  organisations_root_is_operator: {
    field: 'parentOrganisation',
    reason: 'OPERATOR_ORGANISATION',
    message: 'The operator organisation has no parent.',
  },
  organisations_operator_stays: {
    field: 'resellerOrganisation',
    reason: 'OPERATOR_ORGANISATION',
    message: 'The operator organisation has no reseller.',
  },
  organisations_type_exists: {
    field: 'organisationType',
    reason: 'DOES_NOT_EXIST',
    message: 'This organisation type does not exist.',
  },
  organisations_price_group_exists: {
    field: 'pricegroup',
    reason: 'DOES_NOT_EXIST',
    message: 'This price group does not exist.',
  },
  organisations_invoice_days_in_order: {
    field: 'invoiceDay',
    reason: 'INVALID',
    message: 'min and max should be from 1 to 28, min not above max.',
  },
  organisations_nothing_beneath: {
    reason: 'BAD_REQUEST',
    message: 'The organisation still has organisations beneath it.',
  },
  organisations_no_enabled_users: {
    reason: 'BAD_REQUEST',
    message: 'The organisation still has enabled users.',
  },
};

/** 400: the root of the tree is never deleted. */
export class OperatorOrganisationStays extends BadRequest {
  constructor() {
    super('The operator organisation can not be deleted', 'OPERATOR_ORGANISATION');
  }
}

/** 400: something lies beneath the organisation, or somebody could still log in. */
export class OrganisationInUse extends BadRequest {
  constructor(reasons: readonly string[]) {
    super(`The organisation can not be deleted: ${reasons.join(' and ')}`, 'IN_USE');
  }
}
