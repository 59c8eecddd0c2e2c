import { limitReached } from '@app/platform/errors/api-error';
import type { ContactType } from './address-rules';

/** The groups of notifications that go to a contact, in the order of responses. */
export const CONTACT_GROUPS = ['System', 'Domain', 'App', 'Finance', 'Job', 'Crm', 'Mail'] as const;

export type ContactGroup = (typeof CONTACT_GROUPS)[number];

export const isContactGroup = (text: string): text is ContactGroup =>
  (CONTACT_GROUPS as readonly string[]).includes(text);

/** Body of POST and PUT. Without groups, PUT keeps them and POST enables none. */
export interface ContactInput {
  readonly type: ContactType;
  /** The e-mail address, phone number or Slack channel. */
  readonly name: string;
  readonly groups: ContactGroup[] | undefined;
}

/** Most contacts of one owner (docs/limits.md); triggers of the table count them. */
export const CONTACT_LIMITS = { ofUser: 50, ofOrganisation: 50 } as const;

const taken = { field: 'name', reason: 'ALREADY_TAKEN', message: 'This contact exists already.' } as const;

export const CONTACT_CONSTRAINT_ERRORS = {
  contacts_unique_for_user: taken,
  contacts_unique_for_organisation: taken,
  contacts_limit_of_user: limitReached(`A user has at most ${CONTACT_LIMITS.ofUser} contacts.`),
  contacts_limit_of_organisation: limitReached(
    `An organisation has at most ${CONTACT_LIMITS.ofOrganisation} contacts.`,
  ),
};
