/** Body of `POST …/users` and `PATCH …/cp3/users/{userId}`: a user of the previous panel generation. */
export interface MigratedUser {
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  /** In a crypt form that `parseCryptHash` reads; the first right login replaces it. */
  readonly passwordHash: string;
  /** Undefined stays as it is on a change; null clears. */
  readonly websiteOrderInformation: string | null | undefined;
}
