import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  DELETED_WITH_USER,
  PersonalData,
  type Person,
  type StoredRecord,
} from '@app/core/privacy/personal-data';

@Injectable()
export class SshKeyPersonalData extends PersonalData {
  readonly table = 'ssh_keys';
  readonly position = 100;
  readonly part = 'sshKeys';
  readonly about = 'Public keys that the person logs in to systems with.';
  readonly erase = DELETED_WITH_USER;

  stored(manager: EntityManager, { id }: Person): Promise<StoredRecord[]> {
    return manager.query(
      `SELECT id, description, type || ' ' || translate(encode(blob, 'base64'), E'\\n', '') || ' ' || comment AS content,
         fingerprint, created_at AS "createdAt", key_changed_at AS "changedAt"
       FROM ssh_keys WHERE user_id = $1 ORDER BY id`,
      [id],
    );
  }
}
