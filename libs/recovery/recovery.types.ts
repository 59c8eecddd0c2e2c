/** Body of `POST /resetting/send_email`. */
export interface RecoveryRequestInput {
  username: string;
}

/** Body of `POST /resetting/{token}`. */
export interface PasswordReset {
  password: string;
}

/** Seconds that a confirmation code is good for (decisions.md section 5). */
export const CODE_TTL = 900;

export const CODE_DIGITS = 8;

/** What the keyed digest of `<user id>:<code>` is for. */
export const CODE_PURPOSE = 'recovery confirmation code';

/** Seconds that a user can take a name back that was changed with its login (decisions.md section 11): 72 hours. */
export const RESTORATION_TTL = 259_200;

/** Most names that a user can take back, and so keeps from others, at the same time. */
export const MAX_RESTORABLE_NAMES = 20;
