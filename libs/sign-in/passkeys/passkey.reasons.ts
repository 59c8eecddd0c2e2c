/** Reasons of fields about passkeys. */
export const PASSKEY_FIELD_ERRORS = {
  INVALID_PASSKEY:
    'Not a new passkey of this user, created by a page of this service with one of the last five options and user verification',
};

declare module '@app/platform/errors/reasons' {
  interface FieldErrorReasons extends Record<keyof typeof PASSKEY_FIELD_ERRORS, string> {}
}
