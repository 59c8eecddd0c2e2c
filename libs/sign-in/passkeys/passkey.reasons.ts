/** Reasons of fields about passkeys. */
export const PASSKEY_FAULTS = {
  INVALID_PASSKEY:
    'Not a new passkey of this user, created by a page of this service with the last options and user verification',
};

declare module '@app/platform/errors/reasons' {
  interface FaultReasons extends Record<keyof typeof PASSKEY_FAULTS, string> {}
}
