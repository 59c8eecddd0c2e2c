import { networkOf } from '../network/client-address';

/** What says that a guess is the user's own: it is then counted apart from those of strangers. */
export interface Acquaintance {
  readonly userId: number;
  readonly organisationId: number;
  /**
   * A login that the user presents, the digest of the token of a device that it trusts, or a network from which it has
   * logged in of late.
   */
  readonly by: 'login' | 'device' | 'network';
  /** Which device or network it is. */
  readonly of: string;
}

/** A user where it is logged in: its guesses count as those of its own network do. */
export const knownAt = (
  address: string,
  { userId, organisationId }: Pick<Acquaintance, 'userId' | 'organisationId'>,
): Acquaintance => ({ userId, organisationId, by: 'network', of: networkOf(address) });
