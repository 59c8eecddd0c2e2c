import type { EntityManager } from 'typeorm';

/** A change of a second factor that its user can undo by a link (rule recovery 83, rule passkeys 36). */
export type UndoableChange =
  | { readonly kind: 'authenticatorAdded' }
  | { readonly kind: 'passkeyAdded' | 'passkeyGoing'; readonly passkey: NamedPasskey };

interface NamedPasskey {
  readonly id: number;
  readonly name: string;
  /** When it counts as added or as gone, as `2027-01-31 23:59 UTC`; null: at once. */
  readonly from: string | null;
}

/** A change with the user, and the login that made it. */
export interface ChangedSecondFactor {
  readonly organisationId: number;
  readonly userId: number;
  readonly loginId: number;
  readonly change: UndoableChange;
}

/**
 * Tells of changes of second factors, in their transaction. The mails with links are of a domain above logins
 * and passkeys, so `libs/service/extensions.module.ts` binds them.
 */
export abstract class SecondFactorListener {
  /** Throws 429 past the changes of a day. Lock the user's row first. */
  abstract changed(manager: EntityManager, changed: ChangedSecondFactor): Promise<void>;

  /** Somebody else asked the user for a second factor. */
  abstract helped(manager: EntityManager, userId: number): Promise<void>;
}
