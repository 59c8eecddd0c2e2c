import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  nothingToErase,
  PersonalData,
  type Person,
  type StoredRecord,
} from '@app/core/privacy/personal-data';

@Injectable()
export class RecoveryRequestPersonalData extends PersonalData {
  readonly table = 'recovery_requests';
  readonly position = 30;
  readonly part = 'recoveryRequests';
  readonly about = 'When somebody asked for a new password of the account, in the last months.';
  readonly erase = nothingToErase('it holds times alone, and goes after three months');

  stored(manager: EntityManager, { id }: Person): Promise<StoredRecord[]> {
    return manager.query(
      `SELECT id, created_at AS "createdAt", expires_at AS "expiresAt", code_used_at AS "codeUsedAt",
         ended_at AS "endedAt"
       FROM recovery_requests WHERE user_id = $1 ORDER BY id`,
      [id],
    );
  }
}

@Injectable()
export class NameRestorationPersonalData extends PersonalData {
  readonly table = 'name_restorations';
  readonly position = 35;
  readonly part = 'nameRestorations';
  readonly about = 'Former user names that the person can take back for a while.';
  readonly erase = nothingToErase('the name leaves the row when the user is deleted');

  stored(manager: EntityManager, { id }: Person): Promise<StoredRecord[]> {
    return manager.query(
      `SELECT id, former_name AS "formerName", renamed_at AS "renamedAt", expires_at AS "expiresAt",
         ended_at AS "endedAt"
       FROM name_restorations WHERE user_id = $1 ORDER BY id`,
      [id],
    );
  }
}
