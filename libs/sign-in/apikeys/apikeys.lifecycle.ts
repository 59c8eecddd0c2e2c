import { userCredentials } from '@app/lifecycle/table-rules';
import { API_KEY_CONSTRAINT_ERRORS } from './api-key.types';

export const API_KEY_RULES = userCredentials('api_keys', {
  part: 'apiKeys',
  personalTexts: 'name whitelist',
  constraintErrors: API_KEY_CONSTRAINT_ERRORS,
  about: 'Keys that programs of the person call with. The keys themselves are not stored.',
  exported: `id, name, whitelist, read_only AS "readOnly", created_at AS "createdAt",
    last_used_at AS "lastUsedAt", rotated_at AS "rotatedAt", expires_at AS "expiresAt"`,
  // A rotated key is a new row.
  addedAt: 'created_at',
  // Without this, years of rotation would fill a user's list.
  outdated: 'rotated_at IS NOT NULL AND expires_at < now()',
  audited: {
    kind: 'apikeys',
    shown: 'user_id name whitelist read_only created_at expires_at rotated_at',
    hidden: 'id digest',
  },
  afterRestore: { keeps: { apiKeys: 'expires_at > now()' } },
});
