/** Who acted, as far as the reader may know. */
export type ActorType =
  'user' | 'manager' | 'operator' | 'invitation' | 'nameRestoration' | 'stranger' | 'service';

/** Who acted, and from where. */
export interface Actor {
  readonly type: ActorType;
  /** Null for everybody whom the reader may not see; their names, credentials and addresses are empty. */
  readonly userId: number | null;
  readonly username: string;
  readonly credential: string;
  readonly address: string;
}

/** One row of the audit log as a customer reads it. */
export interface AuditedAct {
  readonly id: number;
  /** Unix seconds. */
  readonly at: number;
  readonly actor: Actor;
  readonly action: string;
  readonly kind: string;
  readonly recordId: number;
  readonly organisationId: number | null;
  /** Null for an insert, and where the values belong to another organisation. */
  readonly before: Readonly<Record<string, unknown>> | null;
  /** Null for a delete, and where the values belong to another organisation. */
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** What the list can be ordered by. */
export type AuditedActOrder = 'id' | 'at';

/** What the list can be narrowed by, beside its filter. */
export type AuditedActSearch = 'user' | 'kind' | 'from' | 'to';
