/** A column with values encrypted with `SECRETS_KEY`. Start, verification and rotation read them all. */
export interface EncryptedColumn {
  /** Name in the report of `cli rotate-secrets`. */
  readonly name: string;
  /** A description of one value; two columns may share it. `example` adds the id of the row. */
  readonly kind: string;
  readonly example: string;
  /** SQL for the value, for the id of its row, and for the encryption context, if that is not the id. */
  readonly encrypted: string;
  readonly id: string;
  readonly bound?: string;
  readonly contextOf: (bound: never) => string;
}
