/** How a user or key gets access: it belongs to the organisation, to one above, or to one with a grant. */
export const WAYS = ['own', 'above', 'grant'] as const;
type Way = (typeof WAYS)[number];

/**
 * `operator` and `manager` stand for everybody in an organisation whom the reader may not know, as in the
 * audit log; `grantee` for everybody in an organisation that never agreed to its grant.
 */
export const HOLDER_KINDS = ['user', 'serviceKey', 'operator', 'manager', 'grantee'] as const;
type HolderKind = (typeof HOLDER_KINDS)[number];

/** A user or service key with access to an organisation, or the masked ones of an organisation. */
export interface AccessHolder {
  readonly kind: HolderKind;
  /** 0 for a masked row. */
  readonly id: number;
  readonly name: string;
  readonly organisationId: number;
  readonly organisationName: string;
  readonly by: Way;
  readonly access: 'read' | 'manage';
  readonly roles: readonly string[];
  readonly secondFactor: boolean;
  readonly passkeys: number;
  readonly apiKeys: number;
  /** Unix seconds. */
  readonly lastUsedAt: number | null;
  readonly grantId: number | null;
}

/** The orders of the list. */
export type AccessOrder = Exclude<keyof AccessHolder, 'organisationId' | 'organisationName' | 'roles'>;
