/** Body of `POST /softlogin`. */
export interface SoftLoginInput {
  username: string;
  /** The eight digits of the recovery mail. */
  confirmationCode: string;
  /** The six digits of the authenticator, where the account has one. */
  code?: string;
  /** `hash2fa` of an earlier login. */
  deviceToken?: string;
}
