/** Body of `POST /organisations/{organisationId}/actions`. */
export interface OrganisationAction {
  type: 'enable' | 'disable';
  reason: string;
  /** Undefined: disabling leaves what lies beneath as it is, enabling ends what disabling did to it. */
  withSubOrganisations?: boolean;
}

/** One reason why an organisation, or what lies beneath it, is kept out. */
export interface HoldingSuspension {
  /** The suspended organisation: the one that was asked for, or one above it; null: out of the reader's reach. */
  readonly organisation: { readonly id: number; readonly name: string } | null;
  readonly itself: boolean;
  readonly beneath: boolean;
  readonly reason: string;
  /** Unix seconds. */
  readonly since: number;
  /** The name is empty once the user is deleted; null: out of the reader's reach. */
  readonly by: { readonly id: number; readonly fullName: string } | null;
}

/** Whether the users of an organisation may log in, and what keeps them out. */
export interface OrganisationState {
  readonly id: number;
  readonly name: string;
  readonly suspended: boolean;
  /** Its own first, then those above, the oldest first. */
  readonly suspensions: readonly HoldingSuspension[];
}
