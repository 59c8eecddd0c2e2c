import type { EntityManager } from 'typeorm';

/** What a request presents beside the password. */
export interface PresentedLogin {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** Seconds without use after which a login is too old. */
  readonly idleTtl: number;
}

/**
 * The second factors of users beside the authenticator. Their domain imports logins, so its module binds it.
 * Lock the user's row first.
 */
export abstract class OtherFactors {
  /**
   * A password does not replace another factor: its user sets an authenticator up with a login that the
   * factor made. Throws 401 otherwise.
   */
  abstract assertPassed(manager: EntityManager, userId: number, presented: PresentedLogin): Promise<void>;
}
