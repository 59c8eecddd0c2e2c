import { AccessDenied, BadRequest } from '@app/core/errors/api-error';
import type { ConstraintErrors } from '@app/core/errors/constraint-errors';

const LAST_ADMIN = 'The last enabled admin can not be deleted, disabled or demoted.';

export const USER_CONSTRAINT_ERRORS: ConstraintErrors = {
  users_username_unique: {
    field: 'username',
    reason: 'ALREADY_TAKEN',
    message: 'This user name is already taken.',
  },
  users_admins_are_operators: {
    field: 'defaultRoles',
    reason: 'OPERATOR_ROLE',
    message: 'ROLE_ADMIN can only be held in the operator organisation.',
  },
  users_one_admin_remains: { reason: 'BAD_REQUEST', message: LAST_ADMIN },
  users_organisation_exists: { reason: 'BAD_REQUEST', message: 'The organisation does not exist any more.' },
};

/** 400: what the constraint of the last admin says, for the interface description. */
export class LastAdminStays extends BadRequest {
  constructor() {
    super(LAST_ADMIN);
  }
}

/** 403: the way to a new password is mailed to the name, and a key changes none. */
export class ApiKeyRenames extends AccessDenied {
  constructor() {
    super('An API key cannot change a user name');
  }
}
