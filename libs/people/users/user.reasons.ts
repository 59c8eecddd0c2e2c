/** Reasons of responses about users. */
export const USER_REASONS = {
  ADMIN_PASSWORD_KEPT: 'An admin has set the password itself: no hash of the previous panel replaces it',
  BAD_CREDENTIALS: 'The password or the passkey is wrong, or the user is disabled',
  CODE_INVALID: '`6digitCode` is missing or wrong',
};

/** Reasons of fields about users. */
export const USER_FIELD_ERRORS = {
  INVALID_USERNAME: 'Neither a login name nor an e-mail address',
  RESERVED_USERNAME: 'A word that stands for people whom a reader must not know',
  WRONG_PASSWORD: 'The current password is wrong',
};

declare module '@app/platform/errors/reasons' {
  interface AnswerReasons extends Record<keyof typeof USER_REASONS, string> {}
  interface FieldErrorReasons extends Record<keyof typeof USER_FIELD_ERRORS, string> {}
}
