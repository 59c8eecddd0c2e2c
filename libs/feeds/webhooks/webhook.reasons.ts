/** Reasons of fields about webhooks. */
export const WEBHOOK_FIELD_ERRORS = {
  ADDRESS_NOT_PUBLIC: 'The address is not public, and `WEBHOOK_NETWORKS` of the service does not list it',
  INVALID_URL: 'Not a URL of the form that the text describes',
  UNKNOWN_EVENT: 'No event and no group of events has this name (docs/events.md)',
};

declare module '@app/platform/errors/reasons' {
  interface FieldErrorReasons extends Record<keyof typeof WEBHOOK_FIELD_ERRORS, string> {}
}
