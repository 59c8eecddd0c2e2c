import type { CredentialKind } from '../context/request-context';

/** The credential that a request carries. */
export interface PresentedCredential {
  readonly kind: CredentialKind;
  readonly id: number;
}

/** The table of each kind of credential. */
export const TABLE_OF = {
  login: 'logins',
  support_login: 'logins',
  api_key: 'api_keys',
  service_key: 'service_keys',
} as const satisfies Readonly<Record<CredentialKind, string>>;

/** The record that a path parameter names: its table, and the conditions for it to exist in that path. */
export interface PathRecord {
  /** The name of the record in a 404, such as `Contact`. */
  readonly name: string;
  /** For the interface description, if the lower-case name does not suffice. */
  readonly words?: string;
  readonly table: string;
  /** Column of the parameter (default `id`). */
  readonly key?: string;
  /** The path parameter of the owner: the organisation, the user, or a record that is declared too. */
  readonly within?: string;
  /** The foreign key to the owner (default: `team_id` for the parameter `teamId`). */
  readonly owner?: string;
  /**
   * Columns with further organisations of the record. Their managers have the same rights on the record as
   * managers above the organisation of the path.
   */
  readonly sharedWith?: readonly string[];
  /**
   * The column with the organisation that the path addresses by this record; it precedes the
   * organisation id of the path.
   */
  readonly organisation?: string;
  /** A further SQL condition on the record, for example that it is not deleted. */
  readonly condition?: string;
  /**
   * SQL for the entity tag of the record, usually its version: see `@Versioned`. Only in the
   * declaration of a controller.
   */
  readonly tag?: string;
}
