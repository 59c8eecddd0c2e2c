import { deletedOfOrganisation, userTable } from '@app/lifecycle/table-rules';
import { RECOVERY_CONTACT_AGE } from '@app/people/users/mailboxes';
import { CONTACT_CONSTRAINT_ERRORS } from './contact.types';
import { ContactResets } from './contact-resets';

export const FORMER_CONTACT_RULES = userTable('former_contacts', {
  part: 'formerContacts',
  personalTexts: 'name',
  about:
    'Addresses of contacts that were removed or changed in the last 72 hours: recovery mail still goes there.',
  exported: `id, name, since, removed_at AS "removedAt"`,
  outdated: `removed_at < now() - interval '${RECOVERY_CONTACT_AGE}'`,
});

/**
 * Equal for two spellings of one address, with the rules for contacts of its type
 * (address-rules.ts).
 */
const UNIQUE_KEY = `
  CASE type WHEN 'email' THEN lower(name COLLATE "C")
    WHEN 'slack' THEN normalize(regexp_replace(name, '^#', ''), NFC) ELSE name END`;

export const CONTACT_RULES = userTable('contacts', {
  // Those of organisations are theirs.
  personalTexts: 'name unique_key',
  otherTexts: 'type groups',
  audited: {
    kind: 'contacts',
    shown: 'user_id type name groups created_at',
    hidden: 'id organisation_id',
    names: { groups: 'preferences' },
  },
  checks: [
    {
      name: 'contacts of users',
      finds: 'contacts of users that name another organisation than their user',
      wrong: `SELECT 'contact ' || c.id AS example FROM contacts c JOIN users u ON u.id = c.user_id
        WHERE c.organisation_id <> u.organisation_id`,
      repair: [
        `UPDATE contacts c SET organisation_id = u.organisation_id FROM users u
          WHERE u.id = c.user_id AND c.organisation_id <> u.organisation_id`,
      ],
    },
    {
      name: 'contact addresses',
      finds: 'contacts that are compared by another address than they show',
      wrong: `SELECT 'contact ' || id AS example FROM contacts WHERE unique_key <> ${UNIQUE_KEY}`,
      repair: [`UPDATE contacts SET unique_key = ${UNIQUE_KEY} WHERE unique_key <> ${UNIQUE_KEY}`],
    },
  ],
  part: 'contacts',
  constraintErrors: CONTACT_CONSTRAINT_ERRORS,
  about: 'Where the person is told of what happens, and of which kinds of notifications.',
  exported: `id, type, name, groups, created_at AS "createdAt", address_changed_at AS "changedAt"`,
  withOrganisation: deletedOfOrganisation('contacts'),
  handler: ContactResets,
});
