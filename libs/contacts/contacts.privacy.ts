import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  DELETED_WITH_USER,
  PersonalData,
  type Person,
  type StoredRecord,
} from '@app/core/privacy/personal-data';

@Injectable()
export class ContactPersonalData extends PersonalData {
  readonly table = 'contacts';
  readonly position = 80;
  readonly part = 'contacts';
  readonly about = 'Where the person is told of what happens, and of which kinds of news.';
  readonly erase = DELETED_WITH_USER;

  stored(manager: EntityManager, { id }: Person): Promise<StoredRecord[]> {
    return manager.query(
      `SELECT id, type, name, groups, created_at AS "createdAt", address_changed_at AS "changedAt"
       FROM contacts WHERE user_id = $1 ORDER BY id`,
      [id],
    );
  }
}
