/** The text of docs/reasons.md, before prettier. */
export function reasonsDocument(tables: {
  readonly ANSWER_REASONS: Readonly<Record<string, string>>;
  readonly FAULT_REASONS: Readonly<Record<string, string>>;
  readonly DECISION_REASONS: Readonly<Record<string, string>>;
}): string;
