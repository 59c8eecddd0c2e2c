import type { Settings } from '@app/config/settings';
import type { UserDetails } from '@app/people/users/user.columns';
import { AccessDenied, BadRequest, NotFound } from '@app/platform/errors/api-error';
import type { InvalidTransition } from './second-factor-states';

/** A user name with its password. */
export interface PasswordLogin {
  username: string;
  password: string;
}

/** A password, with the token of a trusted device. */
export interface PasswordProof extends PasswordLogin {
  /** `hash2fa` of an earlier login. */
  readonly deviceToken?: string | undefined;
}

/** Body of `POST /login`. The fields of the second factor exist only in Variant A. */
export interface LoginInput extends PasswordLogin {
  /** The six digits of the authenticator. */
  code?: string;
  trustThisDevice?: boolean;
  /** `hash2fa` of an earlier login. */
  deviceToken?: string;
}

/** A login that succeeded. */
export interface LoggedIn {
  readonly user: UserDetails;
  /** The credential. Only its owner sees it. */
  readonly hash: string;
  /** The token of the trusted device; empty without one. */
  readonly deviceToken: string;
}

/** The owner of the presented credential. */
export interface Identity {
  /** Null for a service key. */
  readonly userId: number | null;
  readonly organisationId: number;
  readonly username: string;
  readonly fullName: string;
  /** The staff member behind a support login; otherwise null. */
  readonly staffId: number | null;
}

/** 404 for a login; undefined with `HIDE_UNKNOWN_USERNAMES`, which gives `badCredentials` instead. */
export const unknownUsername = ({ hideUnknownUsernames }: Settings): NotFound | undefined =>
  hideUnknownUsernames ? undefined : new NotFound('Username');

/** 400: the user's second factor has another state. */
export const secondFactorInvalid = ({ message, reason }: InvalidTransition): BadRequest =>
  new BadRequest(message, reason);

/** 400: only users with an active authenticator have recovery codes. */
export const secondFactorNotEnabled = (): BadRequest =>
  new BadRequest('2FA is not enabled', 'SECOND_FACTOR_NOT_ENABLED');

/** 400: users cannot remove a second factor that their organisation demands. */
export const secondFactorRequired = (): BadRequest =>
  new BadRequest('The organisation requires 2FA', 'SECOND_FACTOR_DEMANDED');

/** 403: who has a second factor changes passkeys only with a login that has passed one. */
export const loginLacksFactor = (): AccessDenied =>
  new AccessDenied('This needs a login that has passed the second factor', 'SECOND_FACTOR_REQUIRED');

/** The number of a user's recovery codes. */
export interface RecoveryCodeCount {
  /** Unused codes. */
  readonly left: number;
  /** When the codes were made, in Unix seconds; null if there are none. */
  readonly createdAt: number | null;
}

/** New codes. The service stores only their encrypted digests. */
export interface MadeRecoveryCodes extends RecoveryCodeCount {
  readonly codes: readonly string[];
}

/** Binds the encryption of the digest of a recovery code to its user. */
export const recoveryCodeContext = (userId: number): string => `recovery_codes.encrypted_digest:${userId}`;
