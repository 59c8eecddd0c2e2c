import type { Language } from '@app/people/users/user.types';
import type { UndoableChange } from '@app/sign-in/auth/second-factor-listener';

/** Seconds that a link undoes its change (rule recovery 83): 72 hours. */
export const LINK_TTL = 259_200;

/** What a link undoes, as its page describes it. */
export interface ChangeToUndo {
  readonly organisationId: number;
  readonly change: UndoableChange;
  readonly language: Language;
  /** The present user name. */
  readonly username: string;
  readonly at: Date;
  /** Empty for an authenticator. */
  readonly passkeyName: string;
  /** `ended`: by the link or otherwise. `expired`: the change stands, but the link is too old to undo it. */
  readonly state: 'open' | 'ended' | 'expired';
}
