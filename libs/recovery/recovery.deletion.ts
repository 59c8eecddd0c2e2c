import { Injectable } from '@nestjs/common';
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
