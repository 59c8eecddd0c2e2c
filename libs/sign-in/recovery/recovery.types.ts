import { BadRequest, NotFound } from '@app/platform/errors/api-error';

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

/** 404: the token is unknown, or the user is deleted. */
export const unknownRecovery = (): NotFound => new NotFound('Reset request');

/** 400: the token was used, is too old, or was ended by the use of another one or a change of the user. */
export const recoveryExpired = (): BadRequest => new BadRequest('request expired', 'REQUEST_EXPIRED');
