import type { ConstraintErrors } from '@app/core/errors/constraint-errors';

export const ACL_CONSTRAINT_ERRORS: ConstraintErrors = {
  acls_not_to_itself: {
    field: 'organisation',
    reason: 'ITSELF',
    message: 'An organisation can not grant access to itself.',
  },
  acls_grantee_exists: {
    field: 'organisation',
    reason: 'DOES_NOT_EXIST',
    message: 'This organisation does not exist.',
  },
  acls_organisation_exists: { reason: 'BAD_REQUEST', message: 'The organisation does not exist any more.' },
};
