/** Reasons of fields about brands. */
export const BRAND_FIELD_ERRORS = {
  CONTRAST_TOO_LOW: 'White text is not readable on the colour',
};

declare module '@app/platform/errors/reasons' {
  interface FieldErrorReasons extends Record<keyof typeof BRAND_FIELD_ERRORS, string> {}
}
