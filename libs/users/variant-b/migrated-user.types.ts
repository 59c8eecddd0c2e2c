import type { StepUpProof } from '../user.types';

/** Body of `POST …/users`: a user of the previous panel generation. */
export interface MigratedUser {
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  /** In a crypt form that `parseCryptHash` reads; the first right login replaces it. */
  readonly passwordHash: string;
  /** Undefined stays as it is on a change; null clears. */
  readonly websiteOrderInformation: string | null | undefined;
}

/** Body of `PATCH …/cp3/users/{userId}`. */
export interface MigratedUserChange extends MigratedUser {
  /** Asked of users who change their own name. */
  readonly proof: StepUpProof;
}
