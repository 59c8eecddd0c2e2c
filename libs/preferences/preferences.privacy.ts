import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  DELETED_WITH_USER,
  PersonalData,
  type Person,
  type StoredRecord,
} from '@app/core/privacy/personal-data';

@Injectable()
export class UserPreferencesPersonalData extends PersonalData {
  readonly table = 'user_preferences';
  readonly position = 110;
  readonly part = 'preferences';
  readonly about = 'How the person likes the panel to look.';
  readonly erase = DELETED_WITH_USER;

  stored(manager: EntityManager, { id }: Person): Promise<StoredRecord[]> {
    return manager.query(
      `SELECT dark_theme AS "darkTheme", shortcuts FROM user_preferences WHERE user_id = $1`,
      [id],
    );
  }
}
