import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  DELETED_WITH_USER,
  PersonalData,
  type Person,
  type StoredRecord,
} from '@app/core/privacy/personal-data';

@Injectable()
export class ApiKeyPersonalData extends PersonalData {
  readonly table = 'api_keys';
  readonly position = 45;
  readonly part = 'apiKeys';
  readonly about = 'Keys that programs of the person call with. The keys themselves are not stored.';
  readonly erase = DELETED_WITH_USER;

  stored(manager: EntityManager, { id }: Person): Promise<StoredRecord[]> {
    return manager.query(
      `SELECT id, name, whitelist, read_only AS "readOnly", created_at AS "createdAt", last_used_at AS "lastUsedAt",
         rotated_at AS "rotatedAt", expires_at AS "expiresAt"
       FROM api_keys WHERE user_id = $1 ORDER BY id`,
      [id],
    );
  }
}
