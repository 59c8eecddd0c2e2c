/** Reasons of fields about SSH keys. */
export const SSH_KEY_FIELD_ERRORS = {
  INVALID_KEY: 'The SSH key is broken, or its content does not match its type',
  PRIVATE_KEY: 'The value is a private key: keep it secret and send the public one',
  UNSUPPORTED_KEY: 'The SSH key is of a format, type or size that is not accepted',
};

declare module '@app/platform/errors/reasons' {
  interface FieldErrorReasons extends Record<keyof typeof SSH_KEY_FIELD_ERRORS, string> {}
}
