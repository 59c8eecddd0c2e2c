import type { AccessRow } from '@app/security/access/access.queries';

/**
 * A question about a token, which the guard's statement has found already. The token itself is not passed on.
 */
export interface Introspection {
  /** The address of the client that presented the token, as canonical text. */
  readonly address: string | undefined;
}

/** A support login counts as a login of its user. A separate field names the staff member. */
export const tokenKindOf = ({ kind }: Pick<AccessRow, 'kind'>): 'login' | 'api_key' | 'service_key' =>
  kind === 'support_login' ? 'login' : kind;
