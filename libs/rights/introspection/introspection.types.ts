import type { AccessRow } from '@app/security/access/access.queries';

/** A question about a token, which the guard's statement has looked up. The token itself goes nowhere else. */
export interface Introspection {
  /** Canonical text of the address of the client that presented it. */
  readonly address: string | undefined;
}

/** Result of an introspection. */
export type Introspected =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly kind: TokenKind;
      readonly subject: string;
      readonly username: string;
      /** Unix seconds. */
      readonly issuedAt: number;
      /** Unix seconds. */
      readonly endsAt: number;
      readonly organisationId: number;
      /** None of a service key. */
      readonly roles: readonly string[];
      readonly readOnly: boolean;
      readonly secondFactor: boolean;
      /** The staff member behind a support login; otherwise null. */
      readonly staffId: number | null;
      /** Null but for a service key. */
      readonly operations: readonly string[] | null;
    };

/** Kind of a credential, as other services see it. */
type TokenKind = 'login' | 'api_key' | 'service_key';

/** A support login counts as a login of its user; a separate field names the staff member. */
export const tokenKindOf = ({ kind }: Pick<AccessRow, 'kind'>): TokenKind =>
  kind === 'support_login' ? 'login' : kind;
