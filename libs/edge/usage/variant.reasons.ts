/** Reasons of responses that only one variant gives. */
export const VARIANT_REASONS = {
  AREA_NOT_HERE: 'The path belongs to an area of the panel that is not part of this service',
};

declare module '@app/platform/errors/reasons' {
  interface AnswerReasons extends Record<keyof typeof VARIANT_REASONS, string> {}
}
