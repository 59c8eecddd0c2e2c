import type { Language } from '@app/users/languages';

/** Somebody who is registered without an invitation. */
export interface UserToRegister {
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly password: string;
  /** Names of roles, not yet checked. */
  readonly roles: readonly string[];
  readonly language: Language;
}
