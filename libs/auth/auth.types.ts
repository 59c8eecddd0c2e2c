import type { UserDetails } from '@app/users/user.types';

/** Who says to be whom. */
export interface PasswordLogin {
  username: string;
  password: string;
}

/** A password, and what may tell that it comes from the user. */
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
  /** The token of a trusted device; empty where there is none. */
  readonly deviceToken: string;
}

/** Who presents a credential, in short. */
export interface Identity {
  readonly userId: number;
  readonly organisationId: number;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
}
