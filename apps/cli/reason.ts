import { ValidationFailed } from '@app/core/errors/api-error';
import { apiErrorOfDatabaseError } from '@app/core/errors/sqlstate';
import { API_KEY_CONSTRAINT_ERRORS } from '@app/apikeys/apikeys.errors';
import { CONTACT_CONSTRAINT_ERRORS } from '@app/contacts/contacts.errors';
import { ORGANISATION_CONSTRAINT_ERRORS } from '@app/organisations/organisations.errors';
import { SSH_KEY_CONSTRAINT_ERRORS } from '@app/sshkeys/sshkeys.errors';
import { USER_CONSTRAINT_ERRORS } from '@app/users/users.errors';

const CONSTRAINT_ERRORS = {
  ...ORGANISATION_CONSTRAINT_ERRORS,
  ...USER_CONSTRAINT_ERRORS,
  ...CONTACT_CONSTRAINT_ERRORS,
  ...SSH_KEY_CONSTRAINT_ERRORS,
  ...API_KEY_CONSTRAINT_ERRORS,
};

/** What is wrong with what was to be stored, or undefined for an error that has another cause. */
export function reasonOf(error: unknown): string | undefined {
  const refusal =
    error instanceof ValidationFailed ? error : apiErrorOfDatabaseError(error, CONSTRAINT_ERRORS);
  if (refusal?.status !== 400) return undefined;
  if (refusal.fields === undefined) return refusal.message;
  return Object.entries(refusal.fields)
    .map(([name, errors]) => `${name}: ${errors.map(({ message }) => message).join(' ')}`)
    .join('; ');
}
