/** Reasons of responses about the proof of user names. */
export const NAME_PROOF_REASONS = {
  NAME_LINK_ENDED: 'The link that proves a user name is used, too old, or ended by another name of the user',
};

declare module '@app/platform/errors/reasons' {
  interface AnswerReasons extends Record<keyof typeof NAME_PROOF_REASONS, string> {}
}
