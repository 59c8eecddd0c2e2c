/** Kinds of entities, as the register and its import name them. */
export const ENTITY_KINDS = ['app', 'domain', 'mailgroup', 'system'] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

/** A domain that a mail group receives mail for. */
export interface MailDomain {
  readonly id: number;
  /** Without the extension. */
  readonly name: string;
  readonly mailPrimary: boolean;
  readonly domaintype: { readonly id: number; readonly extension: string };
}

/** What an import says of one entity. */
export interface ImportedEntity {
  readonly kind: EntityKind;
  /** Identifier in the area that manages it. */
  readonly id: number;
  readonly name: string;
  readonly organisationId: number;
  /** Of a mail group; left out for every other kind. */
  readonly domains?: readonly MailDomain[];
}
