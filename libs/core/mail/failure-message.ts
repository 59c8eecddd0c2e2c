/** Most characters that are kept. */
const MAX_LENGTH = 255;

/**
 * Why a mail could not be delivered, for those who may read that it was not: the reply of the mail server, else
 * that there was none. What else an error says is about the machines of the operator.
 */
export function failureMessage(error: unknown): string {
  const { response } = (error ?? {}) as { response?: unknown };
  if (typeof response !== 'string') return 'The mail server could not be reached.';
  return [...response.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')].slice(0, MAX_LENGTH).join('');
}
