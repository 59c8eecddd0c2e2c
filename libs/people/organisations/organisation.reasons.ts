/** Reasons of responses about organisations. */
export const ORGANISATION_REASONS = {
  IN_USE:
    'Organisations lie beneath the organisation, or it has enabled users; or organisations have the price group',
  OPERATOR_ORGANISATION: 'The operator organisation cannot be deleted or disabled',
  SUSPENDED_FROM_ABOVE: 'Somebody above the caller suspended the organisation; only they can change that',
};

/** Reasons of fields about organisations. */
export const ORGANISATION_FIELD_ERRORS = {
  ADMIN_OR_RESELLER_ONLY: 'Only an admin or the reseller of the organisation may set this field',
  CIRCLE: 'The organisation would lie beneath itself',
  ITSELF: 'The value names the organisation itself',
  OPERATOR_ORGANISATION: 'The operator organisation has no parent and no reseller',
};

declare module '@app/platform/errors/reasons' {
  interface AnswerReasons extends Record<keyof typeof ORGANISATION_REASONS, string> {}
  interface FieldErrorReasons extends Record<keyof typeof ORGANISATION_FIELD_ERRORS, string> {}
}
