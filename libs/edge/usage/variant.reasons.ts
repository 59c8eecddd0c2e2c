/** Reasons of responses about variants. */
export const VARIANT_REASONS = {
  AREA_NOT_HERE: 'The path belongs to an area of the panel that is not part of this service',
  VARIANT_BROWNOUT:
    'This variant of the interface ends and is off for a while, as announced; `Retry-After` says until when',
};

declare module '@app/platform/errors/reasons' {
  interface AnswerReasons extends Record<keyof typeof VARIANT_REASONS, string> {}
}
