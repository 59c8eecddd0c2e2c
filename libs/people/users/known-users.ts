/** SQL for the reader's organisation, and for whether the reader is an admin. */
export interface ReaderParameters {
  readonly organisation: string;
  readonly admin: string;
}

/** SQL condition: the reader may know the user. Only admins know admins, and users of organisations above. */
export const isKnownTo = (user: string, { organisation, admin }: ReaderParameters): string =>
  `(${admin}::boolean OR NOT 'ROLE_ADMIN' = ANY (${user}.roles) AND (${user}.organisation_id = ${organisation} OR EXISTS (
    SELECT 1 FROM organisation_closure
    WHERE ancestor_id = ${organisation} AND descendant_id = ${user}.organisation_id)))`;
