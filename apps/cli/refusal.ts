import { GRANT_CONSTRAINT_ERRORS } from '@app/people/acls/grant.types';
import { CONTACT_CONSTRAINT_ERRORS } from '@app/people/contacts/contact.types';
import { INVITATION_CONSTRAINT_ERRORS } from '@app/people/invitations/invitation.types';
import { ORGANISATION_CONSTRAINT_ERRORS } from '@app/people/organisations/organisation.types';
import { TEAM_CONSTRAINT_ERRORS } from '@app/people/teams/team.types';
import { USER_CONSTRAINT_ERRORS } from '@app/people/users/user.types';
import { OutcomeUnknown, ValidationFailed } from '@app/platform/errors/api-error';
import { apiErrorOfDatabaseError } from '@app/platform/errors/sqlstate';
import { explain } from '@app/platform/process/run-process';
import { API_KEY_CONSTRAINT_ERRORS } from '@app/sign-in/apikeys/api-key.types';
import { SSH_KEY_CONSTRAINT_ERRORS } from '@app/sign-in/sshkeys/ssh-key.types';

const CONSTRAINT_ERRORS = {
  ...ORGANISATION_CONSTRAINT_ERRORS,
  ...USER_CONSTRAINT_ERRORS,
  ...CONTACT_CONSTRAINT_ERRORS,
  ...SSH_KEY_CONSTRAINT_ERRORS,
  ...API_KEY_CONSTRAINT_ERRORS,
  ...GRANT_CONSTRAINT_ERRORS,
  ...TEAM_CONSTRAINT_ERRORS,
  ...INVITATION_CONSTRAINT_ERRORS,
};

/** Why the database or validation refused a record; undefined for any other error. */
export function reasonOf(error: unknown): string | undefined {
  const refusal =
    error instanceof ValidationFailed ? error : apiErrorOfDatabaseError(error, CONSTRAINT_ERRORS);
  if (refusal?.status !== 400) return undefined;
  if (refusal.fields === undefined) return refusal.message;
  return Object.entries(refusal.fields)
    .map(([name, errors]) => `${name}: ${errors.map(({ message }) => message).join(' ')}`)
    .join('; ');
}

/** Why a command failed, in lines for the operator. */
export function failureLines(error: unknown): readonly string[] {
  if (error instanceof OutcomeUnknown) return [error.message];
  const isUnavailable = apiErrorOfDatabaseError(error)?.status === 503;
  return isUnavailable
    ? explain(error).map((line) => `${line}: run the same command again in a moment`)
    : explain(error);
}
