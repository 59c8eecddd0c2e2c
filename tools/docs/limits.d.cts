/** The text of docs/limits.md, before prettier. */
export function limitsDocument(): string;
