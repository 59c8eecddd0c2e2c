import {
  limitReached,
  type ConstraintError,
  type ConstraintErrors,
} from '@app/core/errors/constraint-errors';
import { CONTACT_LIMITS } from './contacts.limits';

const taken: ConstraintError = {
  field: 'name',
  reason: 'ALREADY_TAKEN',
  message: 'This contact exists already.',
};

export const CONTACT_CONSTRAINT_ERRORS: ConstraintErrors = {
  contacts_unique_for_user: taken,
  contacts_unique_for_organisation: taken,
  contacts_limit_of_user: limitReached(`A user has at most ${CONTACT_LIMITS.ofUser} contacts.`),
  contacts_limit_of_organisation: limitReached(
    `An organisation has at most ${CONTACT_LIMITS.ofOrganisation} contacts.`,
  ),
};
