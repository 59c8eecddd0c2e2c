/** A refused credential, a denial or a lock-out, as far as it is known who met it. */
export interface Refusal {
  /** The reason of the answer. */
  readonly reason: string;
  /** Canonical address. */
  readonly address: string;
  /** The user whose credential the request carried. */
  readonly userId?: number | undefined;
  /** The kind of that credential. */
  readonly credentialKind?: string | undefined;
  /** The user name that was tried, where the request carried none; with a keyed digest of it, which alone is kept. */
  readonly name?: { readonly text: string; readonly digest: string } | undefined;
  /** Digest of a credential that does not count. */
  readonly credentialDigest?: Buffer | undefined;
}

const REFUSING: ReadonlySet<number> = new Set([401, 403, 429]);

/**
 * Whether an answer refuses a credential, denies or locks out. An unknown name is a 404 as described, and a guess all
 * the same; who presents nothing at all, and is told so, tried nothing.
 */
export function isRefusal(status: number, { reason, userId, name, credentialDigest }: Refusal): boolean {
  if (reason === 'ROLE_REQUIRED') return true;
  if (status === 404) return reason === 'NOT_FOUND' && userId === undefined && name !== undefined;
  if (reason === 'UNAUTHORISED') return name !== undefined || credentialDigest !== undefined;
  return REFUSING.has(status);
}
