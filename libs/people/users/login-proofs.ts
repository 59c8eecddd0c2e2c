/**
 * Tells which logins were made by something that stands for the password: a domain above this one makes them
 * and binds this for all others. Without it every login has shown a password or a passkey.
 */
export abstract class LoginProofs {
  /** Whether nobody has shown the password for this login. */
  abstract isUnproved(loginId: number): Promise<boolean>;
}
