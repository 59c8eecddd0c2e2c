import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { nothingToErase } from '@app/lifecycle/personal-data';
import { type UserEvent, UserEventHandler } from '@app/lifecycle/user-events';
import { UserRecords } from '@app/lifecycle/user-records';
import { CleanUp } from '@app/platform/jobs/clean-up';
import { withdrawJobs } from '@app/platform/jobs/queue-job';

@Injectable()
export class RecoveryCleanUp extends CleanUp {
  readonly statements = [
    // For three months the response to an old link is "expired", after that "unknown".
    `DELETE FROM recovery_requests WHERE expires_at < now() - interval '90 days'`,
    `DELETE FROM name_restorations WHERE expires_at < now() - interval '90 days'`,
  ];
}

/** Requests of deleted users end and stay a while, so that the response to an old link is "expired", not "unknown". */
@Injectable()
export class RecoveryRequestRecords extends UserRecords {
  readonly table = 'recovery_requests';
  readonly part = 'recoveryRequests';
  readonly about = 'When somebody asked for a new password of the account, in the last months.';
  protected readonly exported = `id, created_at AS "createdAt", expires_at AS "expiresAt", code_used_at AS "codeUsedAt",
    ended_at AS "endedAt"`;
  override readonly withUsers = endRecovery;
  override readonly erase = nothingToErase('it holds times alone, and goes after three months');
}

/** Frees and forgets the names of deleted users at once. The links stay a while: the response to them is "expired". */
@Injectable()
export class NameRestorationRecords extends UserRecords {
  readonly table = 'name_restorations';
  readonly part = 'nameRestorations';
  readonly about = 'Former user names that the person can take back for a while.';
  protected readonly exported = `id, former_name AS "formerName", renamed_at AS "renamedAt", expires_at AS "expiresAt",
    ended_at AS "endedAt"`;
  override readonly withUsers = (manager: EntityManager, userIds: readonly number[]) =>
    manager.query(
      `UPDATE name_restorations SET ended_at = coalesce(ended_at, now()), former_name = ''
       WHERE user_id = ANY ($1::integer[])`,
      [userIds],
    );
  override readonly erase = nothingToErase('the name leaves the row when the user is deleted');
}

/**
 * Ends open reset links and confirmation codes of users, and withdraws mails with them that still wait. Change the users'
 * rows first: recovery locks them first too.
 */
export async function endRecovery(manager: EntityManager, userIds: readonly number[]): Promise<void> {
  await manager.query(
    `UPDATE recovery_requests SET ended_at = now() WHERE user_id = ANY ($1::integer[]) AND ended_at IS NULL`,
    [userIds],
  );
  await withdrawJobs(manager, userIds.map(recoveryMailKey));
}

/** Key of the one recovery mail of a user that may wait to be sent. */
export const recoveryMailKey = (userId: number): string => `recovery:${userId}`;

/** A new password, name or state of a user ends every recovery that was opened before (decisions.md section 10). */
@Injectable()
export class UserRecovery extends UserEventHandler {
  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
    if (event.kind === 'created' || event.kind === 'secondFactorDemanded') return;
    await endRecovery(manager, [event.userId]);
  }
}
