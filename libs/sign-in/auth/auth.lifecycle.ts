import { storedBy } from '@app/lifecycle/personal-data';
import { type CredentialRules, userCredentials, userTable } from '@app/lifecycle/table-rules';
import { recoveryCodeContext } from './auth.types';
import { AuthenticatorResets } from './authenticator-resets';
import { endCredentials } from './login-endings';

export const LOGIN_RULES = userCredentials('logins', {
  part: 'logins',
  personalTexts: 'address user_agent os browser country',
  otherTexts: 'support_reason service_key_name',
  about:
    'Where the person is logged in: since when, from which address and with which program; and support logins, of the person or for it.',
  exported: storedBy(
    `SELECT id, created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt",
       address, country, os, browser, user_agent AS "userAgent", support_reason AS "supportReason",
       service_key_name AS "serviceKey"
     FROM logins WHERE user_id = $1 OR staff_id = $1 ORDER BY id`,
  ),
  outdated: 'expires_at < now()',
  handle: endCredentials,
  audited: {
    kind: 'logins',
    // Managers see the reason of a support login; only admins see its address and staff member.
    shown:
      'user_id created_at expires_at address user_agent os browser country support_reason support_write service_key_name',
    adminOnly: 'staff_id begun_with service_key_id',
    hidden: 'id digest passkey_id',
    names: {
      address: 'ip',
      support_reason: 'reason',
      support_write: 'write',
      service_key_name: 'serviceKey',
    },
  },
  afterRestore: { ends: 'logins', by: 'deletion' },
});

export const KNOWN_NETWORK_RULES = userTable('known_networks', {
  part: 'knownNetworks',
  personalTexts: 'network',
  about:
    'Networks that the person logged in from in the last 30 days: guesses of others do not hold up a login from there, but for those of links.',
  exported: `id, network::text AS network, by_link AS "byLink", last_login_at AS "lastLoginAt"`,
  outdated: `last_login_at < now() - interval '30 days'`,
});

export const RECOVERY_CODE_RULES = userCredentials('recovery_codes', {
  part: 'recoveryCodes',
  otherTexts: 'encrypted_digest',
  about:
    'Codes that stand for one of the authenticator: when they were made and used. The codes are not stored readably.',
  exported: `position, created_at AS "createdAt", used_at AS "usedAt"`,
  addedAt: 'created_at',
  handler: AuthenticatorResets,
  audited: {
    kind: 'recoveryCodes',
    shown: 'user_id created_at used_at',
    hidden: 'id position encrypted_digest',
  },
  encrypted: [
    {
      name: 'recoveryCodes',
      kind: 'recovery code',
      example: 'recovery code',
      encrypted: 'encrypted_digest',
      id: 'id',
      bound: 'user_id',
      contextOf: recoveryCodeContext,
    },
  ],
  afterRestore: { keeps: { recoveryCodes: 'used_at IS NULL' } },
  checks: [
    {
      name: 'recovery codes',
      finds: 'recovery codes of users without a second factor',
      wrong: `SELECT DISTINCT 'user ' || u.id AS example FROM recovery_codes r JOIN users u ON u.id = r.user_id
        WHERE u.second_factor <> 'enabled'`,
      repair: [
        `DELETE FROM recovery_codes r USING users u WHERE u.id = r.user_id AND u.second_factor <> 'enabled'`,
      ],
    },
  ],
});

export const TRUSTED_DEVICE_RULES = userCredentials('trusted_devices', {
  part: 'trustedDevices',
  personalTexts: 'address user_agent os browser country',
  about: 'Devices of the person that are asked for no code at login.',
  exported: `id, address, country, os, browser, user_agent AS "userAgent", created_at AS "createdAt",
    expires_at AS "expiresAt"`,
  outdated: 'expires_at < now()',
  audited: {
    kind: 'tokens2fa',
    shown: 'user_id created_at expires_at address user_agent os browser country',
    hidden: 'id digest',
    names: { address: 'ip' },
  },
  afterRestore: { ends: 'trustedDevices', by: 'deletion' },
});

export const OLDER_DEVICE_TOKEN_RULES: CredentialRules = {
  table: 'older_device_tokens',
  afterRestore: 'a foreign key deletes them with their devices',
};
