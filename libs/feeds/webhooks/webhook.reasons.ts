/** Reasons of fields about webhooks. */
export const WEBHOOK_FIELD_ERRORS = {
  ADDRESS_NOT_PUBLIC:
    'The address is not public; webhooks of the operator may use those of `WEBHOOK_NETWORKS`',
  INVALID_URL: 'Not a URL of the form that the text describes',
  UNKNOWN_EVENT: 'No event and no group of events has this name (docs/events.md)',
};

declare module '@app/platform/errors/reasons' {
  interface FieldErrorReasons extends Record<keyof typeof WEBHOOK_FIELD_ERRORS, string> {}
}
