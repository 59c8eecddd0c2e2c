import type { EntityManager } from 'typeorm';

/** A login from a network that was new for the user, on a device that was not trusted. */
export interface LoginFromNewNetwork {
  readonly userId: number;
  readonly loginId: number;
  /** The /24 (IPv4) or /64 (IPv6) of the address. */
  readonly network: string;
  readonly address: string;
  /** ISO 3166-1 alpha-2; empty if unknown. */
  readonly country: string;
  /** From the user agent, which can contain anything; empty if unknown. */
  readonly os: string;
  /** Also from the user agent; empty if unknown. */
  readonly browser: string;
  /** The name of the service key that stood for the password; empty if none did. */
  readonly serviceKey: string;
}

/**
 * Receives logins from new networks, in their transaction. Login notices import logins, so their module
 * binds it.
 */
export abstract class NewNetworkListener {
  abstract loggedIn(manager: EntityManager, login: LoginFromNewNetwork): Promise<void>;
}
