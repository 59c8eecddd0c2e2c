import type { ConstraintErrors } from '@app/core/errors/constraint-errors';

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
  users_one_admin_remains: {
    reason: 'BAD_REQUEST',
    message: 'The last enabled admin can not be deleted, disabled or demoted.',
  },
  users_organisation_exists: { reason: 'BAD_REQUEST', message: 'The organisation does not exist any more.' },
};
