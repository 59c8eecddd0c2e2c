import type { EntityManager } from 'typeorm';
import { deletedRows } from '@app/lifecycle/deletions';
import { userCredentials } from '@app/lifecycle/table-rules';
import type { UserEvent } from '@app/lifecycle/user-events';
import { withdrawMails } from '@app/mail/outbox';
import { RECOVERY_CONSTRAINT_ERRORS } from './recovery.types';

/** For three months the response to an old link is "expired", after that "unknown". */
const PAST_THREE_MONTHS = `expires_at < now() - interval '90 days'`;

/**
 * Requests of deleted users end but remain for some time, so that the response to an old link is
 * "expired" instead of "unknown".
 */
export const RECOVERY_REQUEST_RULES = userCredentials('recovery_requests', {
  part: 'recoveryRequests',
  about: 'When somebody asked for a new password of the account, in the last months.',
  exported: `id, created_at AS "createdAt", expires_at AS "expiresAt", code_used_at AS "codeUsedAt",
    ended_at AS "endedAt"`,
  withUsers: endRecovery,
  handle: endEarlierRecovery,
  erase: 'it holds only times, and is deleted after three months',
  outdated: PAST_THREE_MONTHS,
  audited: {
    kind: 'recoveryRequests',
    shown: 'user_id created_at expires_at code_used_at ended_at',
    hidden: 'id token_digest code_digest code_expires_at proves_name',
  },
  afterRestore: { ends: 'resetLinks', by: 'end' },
});

/**
 * Frees and deletes the names of deleted users at once. The links remain for some time,
 * with the response "expired".
 */
export const NAME_RESTORATION_RULES = userCredentials('name_restorations', {
  part: 'nameRestorations',
  constraintErrors: RECOVERY_CONSTRAINT_ERRORS,
  about: 'Former user names that the person can take back for a while.',
  exported: `id, former_name AS "formerName", renamed_at AS "renamedAt", expires_at AS "expiresAt",
    ended_at AS "endedAt"`,
  withUsers: deletedRows(
    `UPDATE name_restorations SET ended_at = coalesce(ended_at, now()), former_name = ''
       WHERE user_id = ANY ($1::integer[])`,
  ),
  // Who proves the name of a mailbox has it: its former user cannot restore it any more.
  handle: async (manager, event) => {
    if (event.kind !== 'nameTaken') return;
    await manager.query(
      'UPDATE name_restorations SET ended_at = now() WHERE fold_case(former_name) = fold_case($1) AND ended_at IS NULL',
      [event.name],
    );
  },
  erase: 'the name leaves the row when the user is deleted',
  outdated: PAST_THREE_MONTHS,
  audited: {
    kind: 'nameRestorations',
    shown: 'user_id former_name renamed_at expires_at ended_at',
    hidden: 'id token_digest',
  },
  afterRestore: { ends: 'restorationLinks', by: 'end' },
  checks: [
    {
      name: 'reserved names',
      finds: 'users who have the name that another can still take back or is told by: rename them',
      wrong: `SELECT 'user ' || u.id AS example FROM name_restorations r
        JOIN users u ON fold_case(u.username) = fold_case(r.former_name) AND u.id <> r.user_id AND u.deleted_at IS NULL
        WHERE r.ended_at IS NULL AND r.expires_at > now()
        UNION ALL
        SELECT 'user ' || u.id FROM users told
        JOIN users u ON fold_case(u.username) = fold_case(told.told_name) AND u.id <> told.id AND u.deleted_at IS NULL
        WHERE told.told_name <> '' AND told.deleted_at IS NULL`,
    },
  ],
});

/**
 * Ends open reset links and confirmation codes of users, and cancels waiting mails with them. Change the
 * users' rows first, because recovery also locks them first.
 */
export async function endRecovery(manager: EntityManager, userIds: readonly number[]): Promise<void> {
  await manager.query(
    `UPDATE recovery_requests SET ended_at = now() WHERE user_id = ANY ($1::integer[]) AND ended_at IS NULL`,
    [userIds],
  );
  await withdrawMails(manager, userIds.map(recoveryMailKey));
}

/** Key of a waiting recovery mail. A user has at most one. */
export const recoveryMailKey = (userId: number): string => `recovery:${userId}`;

/** Events that leave password, name and state of a user as they are. The rules of deletions end the rest. */
const ENDS_NO_RECOVERY: ReadonlySet<UserEvent['kind']> = new Set([
  'created',
  'rolesChanged',
  'codesGuessed',
  'loginsEnded',
  'deleted',
  'unprovedNameSent',
  'registeredUnproved',
  'nameProved',
]);

/**
 * A new password, name or state of a user ends every recovery that was requested before
 * (rule recovery 8).
 */
async function endEarlierRecovery(manager: EntityManager, event: UserEvent): Promise<void> {
  if (event.kind === 'secondFactorDemanded' || event.kind === 'secondFactorDemandLifted') return;
  if (ENDS_NO_RECOVERY.has(event.kind)) return;
  if (event.kind === 'nameTaken') {
    const { holders } = event;
    return endRecovery(
      manager,
      holders.map(({ userId }) => userId),
    );
  }
  await endRecovery(manager, [event.userId]);
}
