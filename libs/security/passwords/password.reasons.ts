/** Reasons of fields about new passwords. */
export const PASSWORD_FIELD_ERRORS = {
  CAPITAL_MISSING: 'A capital letter is missing',
  DIGIT_MISSING: 'A digit is missing',
  INVALID_PASSWORD_HASH: 'Not a password hash of an accepted form',
  SPECIAL_CHARACTER_MISSING: 'A special character is missing',
  PRESENT_PASSWORD: 'The new password is the present one',
  USERNAME_AS_PASSWORD: 'The password is the user name, or its part before the @',
};

declare module '@app/platform/errors/reasons' {
  interface FieldErrorReasons extends Record<keyof typeof PASSWORD_FIELD_ERRORS, string> {}
}
