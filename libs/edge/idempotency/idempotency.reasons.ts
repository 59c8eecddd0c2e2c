/** Reasons of responses about `Idempotency-Key`. */
export const IDEMPOTENCY_REASONS = {
  IDEMPOTENCY_KEY_IN_USE:
    'The first request with the `Idempotency-Key` is still under way: try again after `Retry-After`',
  IDEMPOTENCY_KEY_REUSED: 'The `Idempotency-Key` was used with another body, or in the other variant',
};

declare module '@app/platform/errors/reasons' {
  interface AnswerReasons extends Record<keyof typeof IDEMPOTENCY_REASONS, string> {}
}
