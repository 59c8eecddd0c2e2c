import { ValidationFailed } from '@app/core/errors/api-error';
import { apiErrorOfDatabaseError } from '@app/core/errors/sqlstate';
import { USER_CONSTRAINT_ERRORS } from '@app/users/users.errors';

/** What is wrong with what was to be stored, or undefined for an error that has another cause. */
export function reasonOf(error: unknown): string | undefined {
  const refusal =
    error instanceof ValidationFailed ? error : apiErrorOfDatabaseError(error, USER_CONSTRAINT_ERRORS);
  if (refusal?.status !== 400) return undefined;
  if (refusal.fields === undefined) return refusal.message;
  return Object.entries(refusal.fields)
    .map(([name, errors]) => `${name}: ${errors.map(({ message }) => message).join(' ')}`)
    .join('; ');
}
