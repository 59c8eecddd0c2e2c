import type { Caller } from '../access/caller';

/** The proof that a user adds to the login with `STEP_UP`. */
export interface StepUpProof {
  readonly password: string | undefined;
  /** The six digits of the authenticator, if the user has one. */
  readonly code: string | undefined;
}

/** A change that asks for the proof of its user, with `STEP_UP`. */
export interface Proven {
  readonly proof: StepUpProof;
}

/** Asks for proofs in the domains below that of users, which binds it. */
export abstract class ChangeProofs {
  /**
   * Runs a change that finds out by itself, under its locks, whether it needs the proof. It then calls
   * `demand`, before it commits anything. That asks only a caller who has shown no password for the login.
   */
  abstract onDemandUnproved<Result>(
    caller: Caller,
    proof: StepUpProof | undefined,
    change: (demand: () => void) => Promise<Result>,
  ): Promise<Result>;
}
