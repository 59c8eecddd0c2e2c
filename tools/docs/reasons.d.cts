/** The text of docs/reasons.md, before prettier. */
export function reasonsDocument(tables: {
  readonly ANSWER_REASONS: object;
  readonly FAULT_REASONS: object;
  readonly DECISION_REASONS: object;
}): string;
