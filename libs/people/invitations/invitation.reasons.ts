/** Reasons of responses about invitations. */
export const INVITATION_REASONS = {
  INVITATION_ACCEPTED: 'The invitation has been used',
  INVITATION_ENDED:
    'The invitation cannot be used now: it was used, changed or withdrawn a moment ago, or is held up',
  INVITATION_EXPIRED: 'The invitation is too old',
  INVITATION_MISMATCH: 'Address, organisation and invitation do not belong together',
  INVITATION_ORPHANED: 'The organisation of the invitation does not exist any more',
  TOKEN_REQUIRED: 'Registration is only possible at the path with the token',
};

/** Reasons of fields about invitations. */
export const INVITATION_FIELD_ERRORS = {
  ALREADY_A_USER: 'The address belongs to a user',
  ALREADY_INVITED: 'The address has an open invitation',
};

declare module '@app/platform/errors/reasons' {
  interface AnswerReasons extends Record<keyof typeof INVITATION_REASONS, string> {}
  interface FieldErrorReasons extends Record<keyof typeof INVITATION_FIELD_ERRORS, string> {}
}
