/**
 * Tells which logins were made by something that stands for the password: a domain above this one makes them
 * and binds this for all others. Without it every login has shown a password or a passkey.
 */
export abstract class LoginProofs {
  /** The name of the service key that stood for the password at this login; undefined if none did. */
  abstract standInFor(loginId: number): Promise<string | undefined>;
}
