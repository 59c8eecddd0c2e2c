import type { AccessRow } from '@app/security/access/access.queries';

/** A question about a token, which the guard's statement has found already. The token itself is not passed on. */
export interface Introspection {
  /** The address of the client that presented the token, as canonical text. */
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
      /** Empty for a service key. */
      readonly roles: readonly string[];
      readonly readOnly: boolean;
      readonly secondFactor: boolean;
      /** The staff member behind a support login; otherwise null. */
      readonly staffId: number | null;
      /** Null for other credentials than service keys. */
      readonly operations: readonly string[] | null;
    };

/** The kind of a credential, for other services. */
type TokenKind = 'login' | 'api_key' | 'service_key';

/** A support login counts as a login of its user. A separate field names the staff member. */
export const tokenKindOf = ({ kind }: Pick<AccessRow, 'kind'>): TokenKind =>
  kind === 'support_login' ? 'login' : kind;
