/** Reasons of responses about links that verify user names. */
export const USERNAME_LINK_REASONS = {
  NAME_LINK_ENDED:
    'The link that verifies a user name is used, too old, or ended by another name of the user',
};

declare module '@app/platform/errors/reasons' {
  interface AnswerReasons extends Record<keyof typeof USERNAME_LINK_REASONS, string> {}
}
