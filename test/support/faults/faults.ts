import type { ErrorsByField, FieldError } from '@app/platform/errors/api-error';

export const messagesOf = (faults: readonly FieldError[]): string[] => faults.map(({ message }) => message);

/** The texts of what is wrong, by field. */
export const messagesByField = (fields: ErrorsByField): Record<string, string[]> =>
  Object.fromEntries(Object.entries(fields).map(([name, faults]) => [name, messagesOf(faults)]));
