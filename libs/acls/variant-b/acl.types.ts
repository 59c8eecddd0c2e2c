/** A grant with the organisation that it is given to. */
export interface Grant {
  readonly id: number;
  readonly organisationId: number;
  readonly grantee: { readonly id: number; readonly name: string };
}

/** What a grant is made from. */
export interface NewGrant {
  readonly granteeId: number;
}
