import { storedBy, touchedBy } from '@app/lifecycle/personal-data';
import type { CredentialRules } from '@app/lifecycle/table-rules';
import { secretContext } from './totp';
import { USER_CONSTRAINT_ERRORS } from './user.types';

/** Keeps the rows without the password hash, because the audit log and other rows refer to them. */
const DELETE_OF_ORGANISATION = `
  WITH deleted AS (
    UPDATE users SET deleted_at = now(), password_hash = ''
    WHERE organisation_id = $1 AND deleted_at IS NULL RETURNING id
  ) SELECT id FROM deleted`;

const STORED = `
  SELECT id, organisation_id AS "organisationId", username, first_name AS "firstName", last_name AS "lastName",
    language, roles, enabled, second_factor AS "secondFactor",
    website_order_information AS "websiteOrderInformation",
    username_verified AS "usernameVerified", former_username AS "formerUsername", renamed_at AS "renamedAt",
    created_at AS "createdAt", deleted_at AS "deletedAt"
  FROM users WHERE id = $1`;

const DELETE = `UPDATE users SET deleted_at = now(), password_hash = '' WHERE id = $1 AND deleted_at IS NULL`;

const ERASE = `
  UPDATE users SET username = 'erased-' || id, first_name = '', last_name = '', password_hash = '',
    website_order_information = NULL, second_factor = 'disabled', totp_secret = NULL, totp_last_step = NULL,
    former_username = NULL, renamed_at = NULL
  WHERE id = $1 AND (username, first_name) <> ('erased-' || id, '')`;

export const USER_RULES: CredentialRules = {
  table: 'users',
  personalTexts:
    'username first_name last_name password_hash totp_secret website_order_information former_username',
  otherTexts: 'language roles second_factor',
  constraintErrors: USER_CONSTRAINT_ERRORS,
  audited: {
    kind: 'users',
    shown:
      'username first_name last_name language roles enabled password_hash second_factor totp_secret username_verified former_username created_at deleted_at',
    adminOnly: 'website_order_information',
    hidden: 'id organisation_id renamed_at',
    names: { password_hash: 'password', enabled: 'status', second_factor: 'status2fa' },
    values: { enabled: (enabled) => (enabled === true ? 'ok' : 'deactivated') },
  },
  encrypted: [
    {
      name: 'totpSecrets',
      kind: 'TOTP secret',
      example: 'TOTP secret of user',
      encrypted: 'totp_secret',
      id: 'id',
      contextOf: secretContext,
    },
  ],
  afterRestore: 'passwords, second factors, roles and names stay as in the backup: nobody else knows them',
  checks: [
    {
      name: 'enabled admin',
      finds: 'no enabled admin is left: `create-admin` makes one',
      wrong: `SELECT 'none' AS example WHERE NOT EXISTS (
        SELECT FROM users WHERE deleted_at IS NULL AND enabled AND roles @> ARRAY['ROLE_ADMIN'])`,
    },
    {
      name: 'users of deleted organisations',
      finds: 'users who are enabled although their organisation is deleted: disable them',
      wrong: `SELECT 'user ' || u.id AS example FROM users u JOIN organisations o ON o.id = u.organisation_id
        WHERE u.deleted_at IS NULL AND u.enabled AND o.deleted_at IS NOT NULL`,
    },
    {
      name: 'user names',
      // The added empty text prevents the use of the index, which would agree with itself.
      finds:
        'names that several users have, which the index does not see: rename all but one, then REINDEX DATABASE',
      wrong: `SELECT min(username) AS example FROM users WHERE deleted_at IS NULL
        GROUP BY fold_case(username) || '' HAVING count(*) > 1`,
    },
    {
      name: 'former names',
      finds: 'users who have the name that another still has as its former one: rename them',
      wrong: `SELECT 'user ' || u.id AS example FROM users former JOIN users u
          ON fold_case(u.username) = fold_case(former_name(former)) AND u.id <> former.id AND u.deleted_at IS NULL
        WHERE former.former_username IS NOT NULL AND former.deleted_at IS NULL`,
    },
  ],
  withUsers: 'it is what is deleted: the row stays, with its id, without the password hash',
  /** Deletes the users of an organisation and everything that belongs to them. */
  withOrganisation: async (manager, organisationId, deletions) => {
    const users = await manager.query<{ id: number }[]>(DELETE_OF_ORGANISATION, [organisationId]);
    await deletions.usersDeleted(
      manager,
      users.map(({ id }) => id),
    );
  },
  part: 'user',
  about: 'The account: the name to log in with, the name in mails, language and roles.',
  stored: storedBy(STORED),
  /** Deletes the user as the API does, and then clears the row, which remains. */
  erase: async (manager, { id }, deletions) => {
    await manager.query(DELETE, [id]);
    // Before the name is erased, because other domains find their rows by it.
    await deletions.usersDeleted(manager, [id]);
    return touchedBy(manager, ERASE, [id]);
  },
};
