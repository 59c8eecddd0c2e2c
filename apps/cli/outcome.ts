import { OperatorError } from '@app/platform/process/settings';
import { ValidationFailed } from '@app/platform/errors/api-error';
import { apiErrorOfDatabaseError } from '@app/platform/errors/sqlstate';
import { API_KEY_CONSTRAINT_ERRORS } from '@app/apikeys/api-key.types';
import { CONTACT_CONSTRAINT_ERRORS } from '@app/contacts/contact.types';
import { ORGANISATION_CONSTRAINT_ERRORS } from '@app/organisations/organisation.types';
import { SSH_KEY_CONSTRAINT_ERRORS } from '@app/sshkeys/ssh-key.types';
import { USER_CONSTRAINT_ERRORS } from '@app/users/user.types';

/** Exit codes of the command line (docs/cli.md). */
export const EXIT = {
  ok: 0,
  /** It did not happen, or not all of it; the last line on standard error says what to do. */
  failed: 1,
  /** The command, an option or the form of a file is not as `--help` describes; nothing was changed. */
  wrongUse: 2,
  /** Done, but for rows that were refused one by one. */
  someRowsRefused: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What a command did. */
export interface Outcome {
  readonly exitCode: ExitCode;
  /** For `--json`. */
  readonly report: object;
  /** The same for people. */
  readonly lines: readonly string[];
}

/** An expected failure. Its message is one line that says what to do. */
export class CommandFailed extends OperatorError {}

/** A wrong command, option or file format. */
export class WrongUse extends OperatorError {}

const CONSTRAINT_ERRORS = {
  ...ORGANISATION_CONSTRAINT_ERRORS,
  ...USER_CONSTRAINT_ERRORS,
  ...CONTACT_CONSTRAINT_ERRORS,
  ...SSH_KEY_CONSTRAINT_ERRORS,
  ...API_KEY_CONSTRAINT_ERRORS,
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
