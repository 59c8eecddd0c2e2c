import type { AccessRow } from '@app/security/access/access.queries';

/** A question about a token, which the guard's statement has looked up. The token itself goes nowhere else. */
export interface Introspection {
  /** Canonical text of the address of the client that presented it. */
  readonly address: string | undefined;
}

/** What is told of a token. */
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

/** What other services are told of the kind of a credential. */
type TokenKind = 'login' | 'api_key' | 'service_key';

/** A support login is a login of its user; the staff member is told beside it. */
export const tokenKindOf = ({ kind }: Pick<AccessRow, 'kind'>): TokenKind =>
  kind === 'support_login' ? 'login' : kind;
