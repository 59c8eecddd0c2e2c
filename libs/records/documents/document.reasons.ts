/** Reasons of responses about documents. */
export const DOCUMENT_REASONS = {
  CONTENT_MISMATCH: 'The first bytes of the body do not match the declared type',
  CONTENT_TYPE_NOT_TAKEN: 'The path takes no files of this type, or no encoded body',
  NOTHING_TO_SEND: 'The document has no file for a link',
};

declare module '@app/platform/errors/reasons' {
  interface AnswerReasons extends Record<keyof typeof DOCUMENT_REASONS, string> {}
}
