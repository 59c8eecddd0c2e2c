import type { CredentialKind } from '@app/platform/context/request-context';

/** The credential that a request carries. */
export interface PresentedCredential {
  readonly kind: CredentialKind;
  readonly id: number;
}

/** The record that a path parameter names: where it is stored, and when it exists in that path. */
export interface PathRecord {
  /** The name of the record in a 404, such as `Contact`. */
  readonly name: string;
  /** For the interface description, if it is more than the name in small letters. */
  readonly words?: string;
  readonly table: string;
  /** Column of the parameter (default `id`). */
  readonly key?: string;
  /** Foreign key to the organisation or user of the path, or to an earlier record of it. */
  readonly owner?: string;
  /** The owner's kind; a record by its path parameter, which is declared too. */
  readonly within?: 'organisation' | 'user' | { readonly parameter: string };
  /**
   * Columns of organisations that have a part in the record: their managers act on it as those above the organisation of the
   * path do.
   */
  readonly sharedWith?: readonly string[];
  /** The column of the organisation that the path addresses by this record, also instead of the one that it names. */
  readonly organisation?: string;
  /** A further SQL condition on the record, for example that it is not deleted. */
  readonly condition?: string;
}
