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
