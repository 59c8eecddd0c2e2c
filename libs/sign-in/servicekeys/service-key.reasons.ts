/** Reasons of responses about service keys. */
export const SERVICE_KEY_REASONS = {
  OPERATION_NOT_ALLOWED: 'The service key, or its creator, may not do the operation',
};

/** Reasons of fields about service keys. */
export const SERVICE_KEY_FIELD_ERRORS = {
  OPERATION_NOT_ALLOWED: 'The service key, or its creator, may not do the operation',
  UNKNOWN_OPERATION: 'No operation and no group of operations has this name',
};

declare module '@app/platform/errors/reasons' {
  interface AnswerReasons extends Record<keyof typeof SERVICE_KEY_REASONS, string> {}
  interface FieldErrorReasons extends Record<keyof typeof SERVICE_KEY_FIELD_ERRORS, string> {}
}
