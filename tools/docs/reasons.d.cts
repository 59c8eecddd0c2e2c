/** The text of docs/reasons.md, before prettier. */
export function reasonsDocument(tables: {
  readonly ANSWER_REASONS: object;
  readonly FIELD_ERROR_REASONS: object;
}): string;
