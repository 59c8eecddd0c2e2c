import {
  AccessDenied,
  BadRequest,
  type ConstraintErrors,
  limitReached,
} from '@app/platform/errors/api-error';
import { CREDENTIAL_ENDED } from '@app/security/access/credential-refusals';
import type { LoginInput } from '@app/sign-in/auth/auth.types';

/** Seconds that a link can be used (rule login-links 2). */
export const LINK_SECONDS = { least: 10, most: 300, usual: 60 } as const;

/** Seconds from the first refusal for the second factor, to type a code (rule login-links 13). */
export const SECONDS_FOR_CODE = 300;

/** The refusal for the second factor that ends a link (rule login-links 13). */
export const MOST_REFUSALS = 5;

/** Most links that a service key makes in a minute (rule login-links 6). */
export const LINKS_A_MINUTE = 60;

/** Most open links of a user (rule login-links 5). A trigger of the table counts them. */
const OPEN_LINKS_OF_USER = 10;

/** Body of `POST …/loginlinks`. */
export interface NewLoginLink {
  /** Seconds from now. */
  readonly seconds: number;
  /** Canonical text of the only address that may use the link; undefined for any. */
  readonly address: string | undefined;
}

/** A new link. No other response has its token. */
export interface CreatedLoginLink {
  readonly token: string;
  /** Empty without `LOGIN_URL_TEMPLATE`. */
  readonly url: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** Body of `POST /login/link`. The fields of the second factor exist only in Variant A. */
export interface LinkLoginInput extends Pick<LoginInput, 'code' | 'trustThisDevice' | 'deviceToken'> {
  readonly token: string;
}

/** 403: the user holds ROLE_ADMIN, or ROLE_CUSTADMIN of the operator organisation (rule login-links 27). */
export const managerOfAllNotLinked = (): AccessDenied =>
  new AccessDenied('Nobody makes a login link for a user who manages all organisations');

/** 400: the user cannot log in, because the user is disabled or the organisation is suspended. */
export const linkedUserKeptOut = (): BadRequest =>
  new BadRequest(
    'A link is of no use: the user is disabled, or its organisation is suspended',
    'USER_KEPT_OUT',
  );

export const LOGIN_LINK_CONSTRAINT_ERRORS: ConstraintErrors = {
  login_links_of_living_key: CREDENTIAL_ENDED,
  login_links_limit_of_user: limitReached(`A user has at most ${OPEN_LINKS_OF_USER} open login links.`),
};
