import type { EntityManager } from 'typeorm';

/** A second factor beside the authenticator, in the command `user`. Lock the user's row first. */
export interface OtherFactor {
  /** Of `disable-2fa`: the name of the option that removes it too, and its description. */
  readonly option: readonly [name: string, words: string];
  /** What the help of `set-password` says of it. */
  readonly atNewPassword: string;
  /** What the help of `disable-2fa` says of it. */
  readonly atLoss: string;
  /** Ends those that whoever knew the former password may have added. Returns what it did. */
  readonly endNew: (manager: EntityManager, userId: number) => Promise<readonly string[]>;
  /** Ends all, if the option is given. Returns what it did, or what is left. */
  readonly endAll: (
    manager: EntityManager,
    user: { readonly userId: number; readonly username: string },
    isGiven: boolean,
  ) => Promise<readonly string[]>;
}
