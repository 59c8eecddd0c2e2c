import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, GOES_WITH_ITS_USERS } from '@app/core/deletion/deletion-handler';
import { endRecovery } from './recovery-ending';

/** Requests end and are kept a while: an old link is told that it has expired, not that it is unknown. */
@Injectable()
export class RecoveryRequestDeletion extends DeletionHandler {
  readonly table = 'recovery_requests';
  readonly position = 30;
  readonly withUsers = endRecovery;
  readonly withOrganisation = GOES_WITH_ITS_USERS;
}

/** Names are free again at once, and forgotten; the links are kept a while, to be told expired. */
@Injectable()
export class NameRestorationDeletion extends DeletionHandler {
  readonly table = 'name_restorations';
  readonly position = 35;
  readonly withUsers = (manager: EntityManager, userIds: readonly number[]) =>
    manager.query(
      `UPDATE name_restorations SET ended_at = coalesce(ended_at, now()), former_name = ''
       WHERE user_id = ANY ($1::integer[])`,
      [userIds],
    );
  readonly withOrganisation = GOES_WITH_ITS_USERS;
}
