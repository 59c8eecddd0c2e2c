/** Reasons of responses about credentials and rights. */
export const ACCESS_REASONS = {
  ADDRESS_REFUSED: 'The call comes from an address outside the whitelist of the API key',
  API_KEY_READ_ONLY: 'The API key allows only GET and HEAD',
  API_KEY_REFUSED: 'API keys cannot do what asks for a person, such as assign roles that manage others',
  GRANT_DOES_NOT_COVER: 'The grant that lets the caller in does not cover this',
  LOG_IN_WITH_PASSWORD:
    'A link logged the user in, without the password, and this needs it: log in with the password',
  OPERATION_NOT_GRANTED: 'The service key does not list this operation',
  SUPPORT_NOT_ALLOWED: 'Support logins may not do this, or the organisation does not allow them',
  SUPPORT_READ_ONLY: 'The support login allows only GET and HEAD',
};

/** Reasons of fields about credentials and rights. */
export const ACCESS_FIELD_ERRORS = {
  ADMIN_ONLY: 'Only an admin may use this field',
  OPERATOR_ROLE: 'ROLE_ADMIN can only be held in the operator organisation',
};

declare module '@app/platform/errors/reasons' {
  interface AnswerReasons extends Record<keyof typeof ACCESS_REASONS, string> {}
  interface FieldErrorReasons extends Record<keyof typeof ACCESS_FIELD_ERRORS, string> {}
}
