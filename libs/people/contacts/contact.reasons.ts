/** Reasons of fields about contacts. */
export const CONTACT_FIELD_ERRORS = {
  INVALID_PHONE_NUMBER: 'Not a phone number in international form',
  INVALID_SLACK_CHANNEL: 'Not a Slack channel',
};

declare module '@app/platform/errors/reasons' {
  interface FieldErrorReasons extends Record<keyof typeof CONTACT_FIELD_ERRORS, string> {}
}
