import { userTable } from '@app/lifecycle/table-rules';

export const SECOND_FACTOR_LINK_RULES = userTable('second_factor_links', {
  part: 'secondFactorLinks',
  about: 'Changes of second factors that a mail has told the person of, in the last 30 days.',
  exported: `id, change, passkey_name AS "passkeyName", changed_at AS "changedAt", expires_at AS "expiresAt",
    ended_at AS "endedAt"`,
  outdated: `expires_at < now() - interval '30 days'`,
});
