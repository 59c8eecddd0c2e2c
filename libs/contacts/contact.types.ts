import type { OrderOf } from '@app/core/paging/column-table';
import type { CONTACT_COLUMNS } from './contact.columns';
import type { ContactType } from './address-rules';

/** The groups of notifications that a contact can be told about, in the order of responses. */
export const CONTACT_GROUPS = ['System', 'Domain', 'App', 'Finance', 'Job', 'Crm', 'Mail'] as const;

export type ContactGroup = (typeof CONTACT_GROUPS)[number];

export const isContactGroup = (text: string): text is ContactGroup =>
  (CONTACT_GROUPS as readonly string[]).includes(text);

/** Whose contact it is: a user's, or the organisation's own (`userId` null, Variant B). */
export interface ContactOwner {
  readonly organisationId: number;
  readonly userId: number | null;
}

/** A contact as responses show it. */
export interface ContactDetails {
  readonly id: number;
  readonly type: ContactType;
  readonly name: string;
  /** The enabled groups. */
  readonly groups: readonly ContactGroup[];
}

/** What lists of contacts can be ordered by. */
export type ContactOrder = OrderOf<typeof CONTACT_COLUMNS>;

/** Body of POST and PUT; without groups PUT keeps them and POST enables none. */
export interface ContactInput {
  readonly type: ContactType;
  /** The address. */
  readonly name: string;
  readonly groups?: ContactGroup[];
}
