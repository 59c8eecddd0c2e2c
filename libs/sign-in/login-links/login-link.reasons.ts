/** Reasons of responses about login links. */
export const LOGIN_LINK_REASONS = {
  USER_KEPT_OUT: 'The user is disabled, or its organisation is suspended, itself or from above',
};

declare module '@app/platform/errors/reasons' {
  interface AnswerReasons extends Record<keyof typeof LOGIN_LINK_REASONS, string> {}
}
