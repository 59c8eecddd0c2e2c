import type { UserDetails } from '@app/people/users/user.columns';
import { BadRequest, NotFound } from '@app/platform/errors/api-error';
import type { InvalidTransition } from './second-factor-states';

/** A user name with its password. */
export interface PasswordLogin {
  username: string;
  password: string;
}

/** A password, with the device token of an earlier login. */
export interface PasswordProof extends PasswordLogin {
  /** `hash2fa` of an earlier login. */
  readonly deviceToken?: string | undefined;
}

/** Body of `POST /login`; the second-factor fields exist in Variant A only. */
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
  /** The credential, shown to its owner only. */
  readonly hash: string;
  /** The token of the trusted device, or empty. */
  readonly deviceToken: string;
}

/** The owner of the presented credential, in short. */
export interface Identity {
  /** Null for a service key. */
  readonly userId: number | null;
  readonly organisationId: number;
  readonly username: string;
  readonly fullName: string;
  /** The staff member behind a support login; otherwise null. */
  readonly staffId: number | null;
}

/** 404 of a login. With `HIDE_UNKNOWN_USERNAMES` it is `BadCredentials` instead. */
export class UnknownUsername extends NotFound {
  constructor() {
    super('Username');
  }
}

/** 400: not possible in the state of the user's second factor. */
export class SecondFactorInvalid extends BadRequest {
  constructor({ message, reason }: InvalidTransition) {
    super(message, reason);
  }
}

/** 400: only users with an active authenticator have recovery codes. */
export class SecondFactorNotEnabled extends BadRequest {
  constructor() {
    super('2FA is not enabled', 'SECOND_FACTOR_NOT_ENABLED');
  }
}

/** 400: users cannot remove a second factor that their organisation demands. */
export class SecondFactorRequired extends BadRequest {
  constructor() {
    super('The organisation requires 2FA', 'SECOND_FACTOR_DEMANDED');
  }
}

/** How many recovery codes a user has. */
export interface RecoveryCodeCount {
  /** Unused codes of the set. */
  readonly left: number;
  /** When the set was made, in Unix seconds; null without a set. */
  readonly createdAt: number | null;
}

/** A new set. The codes are not stored readably. */
export interface MadeRecoveryCodes extends RecoveryCodeCount {
  readonly codes: readonly string[];
}

/** Binds the encryption of the digest of a recovery code to its user. */
export const recoveryCodeContext = (userId: number): string => `recovery_codes.sealed_digest:${userId}`;
