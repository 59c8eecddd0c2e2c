import { userCredentials } from '@app/lifecycle/table-rules';
import { RecoveryRequestEvents } from './recovery-request-events';
import { endRequests } from './recovery-requests';

const FORGET = `UPDATE recovery_requests SET username = '' WHERE user_id = ANY ($1::integer[]) AND username <> ''`;

/**
 * Links of deleted users end but remain for some time, without the name: for three months the response to an
 * old link is "expired", after that "unknown".
 */
export const RECOVERY_REQUEST_RULES = userCredentials('recovery_requests', {
  personalTexts: 'username',
  otherTexts: 'kind',
  audited: {
    kind: 'recoveryRequests',
    shown: 'user_id kind created_at expires_at code_used_at ended_at',
    hidden: 'id token_digest code_digest code_expires_at',
  },
  afterRestore: { ends: 'mailedLinks', by: 'end' },
  handler: RecoveryRequestEvents,
  part: 'recoveryRequests',
  about:
    'Links that were mailed for the account in the last months: to choose a new password, and to confirm a new user name.',
  exported: `id, kind, username, created_at AS "createdAt", expires_at AS "expiresAt",
        code_used_at AS "codeUsedAt", ended_at AS "endedAt"`,
  withUsers: async (manager, userIds) => {
    await endRequests(manager, userIds, 'reset', 'name');
    await manager.query(FORGET, [userIds]);
  },
  erase: 'the name leaves the row when the user is deleted',
  outdated: `expires_at < now() - interval '90 days'`,
});
