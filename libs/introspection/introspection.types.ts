/** A question about a token. */
export interface Introspection {
  /** Never stored, never logged. */
  readonly token: string;
  /** Canonical text of the address of the client that presented it. */
  readonly address: string | undefined;
}

/** What is told of a token. */
export type Introspected =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly kind: 'login' | 'api_key' | 'service_key';
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
      /** Null but for a service key. */
      readonly operations: readonly string[] | null;
    };
