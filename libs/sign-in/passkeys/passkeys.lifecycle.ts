import { userCredentials } from '@app/lifecycle/table-rules';
import { PASSKEY_CONSTRAINT_ERRORS } from './passkey.types';
import { PasskeyResets } from './passkey-resets';

export const PASSKEY_RULES = userCredentials('passkeys', {
  part: 'passkeys',
  personalTexts: 'name',
  otherTexts: 'rp_id',
  constraintErrors: PASSKEY_CONSTRAINT_ERRORS,
  about: 'Passkeys that the person logs in with: their names, and when they were made and last used.',
  exported: `id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt",
    backed_up AS "backedUp", rp_id AS domain`,
  audited: { kind: 'passkeys', shown: 'user_id name created_at', hidden: 'id' },
  handler: PasskeyResets,
  afterRestore: { keeps: { passkeys: 'true' } },
});

export const PASSKEY_CHALLENGE_RULES = userCredentials('passkey_challenges', {
  part: 'passkeyChallenges',
  about: 'That the person has begun to add a passkey, for five minutes at most.',
  exported: `expires_at AS "expiresAt"`,
  outdated: 'expires_at < now()',
  afterRestore: 'only the holder of a passkey can answer one, for five minutes',
});
