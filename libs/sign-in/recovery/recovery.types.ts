import { BadRequest, type ConstraintErrors, limitReached, NotFound } from '@app/platform/errors/api-error';

/** Body of `POST /resetting/send_email`. */
export interface RecoveryRequestInput {
  username: string;
}

/** Body of `POST /resetting/{token}`. */
export interface PasswordResetInput {
  password: string;
}

/** Lifetime of a confirmation code in seconds (rule recovery 10). */
export const CODE_TTL = 900;

export const CODE_DIGITS = 8;

/** Purpose of the keyed digest of `<user id>:<code>`. */
export const CODE_PURPOSE = 'recovery confirmation code';

/** Seconds in which a changed user name can be restored (rule recovery 22): 72 hours. */
export const RESTORATION_TTL = 259_200;

/** Maximum restorable names of a user at a time, because they are reserved. */
const MAX_RESTORABLE_NAMES = 20;

/** 404: the token is unknown, or the user is deleted. */
export const unknownRecovery = (): NotFound => new NotFound('Reset request');

/** 400: the token was used, is too old, or was ended by a newer token or a change of the user. */
export const recoveryExpired = (): BadRequest => new BadRequest('request expired', 'REQUEST_EXPIRED');

export const RECOVERY_CONSTRAINT_ERRORS: ConstraintErrors = {
  name_restorations_limit_of_user: limitReached(
    `A user changes its name at most ${MAX_RESTORABLE_NAMES} times in 72 hours.`,
  ),
};
