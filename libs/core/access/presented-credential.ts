/** The credential of an `Authorization` header: the raw value, or what follows `Bearer `; undefined if empty. */
export function presentedCredential(header: string | undefined): string | undefined {
  const value = header?.trim().replace(/^Bearer(\s+|$)/i, '');
  return value === undefined || value === '' ? undefined : value;
}
