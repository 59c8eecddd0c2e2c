import { Injectable } from '@nestjs/common';
import { prepared, PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import type { Preferences, PreferencesChange } from './preferences.types';

const PREFERENCES_OF_USER = prepared(
  `SELECT dark_theme AS "darkTheme", shortcuts FROM user_preferences WHERE user_id = $1`,
);

const DEFAULTS: Preferences = { darkTheme: false, shortcuts: [] };

/** In one statement, so that two changes of different fields at once both last. */
const CHANGE = `
  INSERT INTO user_preferences AS stored (user_id, dark_theme, shortcuts)
  VALUES ($1, coalesce($2::boolean, false), coalesce($3::json, '[]'))
  ON CONFLICT (user_id) DO UPDATE SET
    dark_theme = coalesce($2::boolean, stored.dark_theme),
    shortcuts = coalesce($3::json, stored.shortcuts)`;

/** How the panel looks to a user. */
@Injectable()
export class PreferencesService {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly transactions: Transactions,
  ) {}

  async read(userId: number): Promise<Preferences> {
    return (await this.queries.quickRow<Preferences>(PREFERENCES_OF_USER, [userId])) ?? DEFAULTS;
  }

  async update(userId: number, { darkTheme, shortcuts }: PreferencesChange): Promise<void> {
    await this.transactions.run((manager) =>
      manager.query(CHANGE, [
        userId,
        darkTheme ?? null,
        shortcuts === undefined ? null : JSON.stringify(shortcuts),
      ]),
    );
  }
}
