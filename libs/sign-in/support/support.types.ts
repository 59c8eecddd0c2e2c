import {
  AccessDenied,
  BadRequest,
  type ConstraintErrors,
  limitReached,
} from '@app/platform/errors/api-error';
import { CREDENTIAL_ENDED } from '@app/security/access/credential-refusals';
import type { IssuedForSupport, NewLoginForSupport } from '@app/sign-in/auth/support-logins';

/** The access that an organisation can allow to support logins of its users. */
export const SUPPORT_ACCESS = ['none', 'read', 'write'] as const;
export type SupportAccess = (typeof SUPPORT_ACCESS)[number];

/** Body of PUT, and response of GET. */
export interface SupportConsent {
  readonly access: SupportAccess;
}

/** Maximum open support logins of a staff member. A trigger of the table counts them. */
const OPEN_LOGINS_OF_STAFF = 20;

/** Duration of a support login in minutes (rule support 1). */
export const SUPPORT_MINUTES = { least: 5, most: 60, usual: 30 } as const;

/** Characters of a reason (rule support 1). */
export const MAX_REASON_LENGTH = 500;

/** Body of POST. */
export type NewSupportLogin = Pick<NewLoginForSupport, 'reason' | 'minutes' | 'write'>;

/** A new support login. Its staff member sees it once. */
export interface CreatedSupportLogin extends Omit<IssuedForSupport, 'until'> {
  readonly write: boolean;
}

/** 403: staff who act in the name of others need a second factor of their own. */
export const ownSecondFactorRequired = (): AccessDenied =>
  new AccessDenied(
    'Only staff with a login that has passed their second factor can log in for support',
    'SECOND_FACTOR_REQUIRED',
  );

/** 403: the user holds ROLE_ADMIN. */
export const adminNotSupported = (): AccessDenied =>
  new AccessDenied('Nobody can log in for support in the name of an admin');

/** 400: the user cannot log in, because the user is disabled or the organisation is suspended. */
export const userKeptOut = (): BadRequest =>
  new BadRequest('The user is disabled, or its organisation is suspended: no login of the user is accepted');

export const SUPPORT_CONSTRAINT_ERRORS: ConstraintErrors = {
  logins_beginning_exists: CREDENTIAL_ENDED,
  logins_limit_of_staff: limitReached(`A staff member has at most ${OPEN_LOGINS_OF_STAFF} support logins.`),
};
