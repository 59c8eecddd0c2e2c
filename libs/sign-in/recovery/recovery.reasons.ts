/** Reasons of responses about the recovery of access. */
export const RECOVERY_REASONS = {
  REQUEST_EXPIRED: 'The reset link is used, too old, or ended by the use of another one',
};

declare module '@app/platform/errors/reasons' {
  interface AnswerReasons extends Record<keyof typeof RECOVERY_REASONS, string> {}
}
