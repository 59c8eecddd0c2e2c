import { Injectable } from '@nestjs/common';
import type { VersionedRecord } from '@app/platform/context/addressed-version';
import { byKey, DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import type { RequestContext } from '@app/security/context/request-context';

/** A user's settings for the look of the panel. */
export interface Preferences {
  readonly darkTheme: boolean;
  /** Objects of the client, at most 16 kB of JSON in all. */
  readonly shortcuts: readonly object[];
}

/** Body of PATCH. Undefined leaves a field unchanged. */
export type PreferencesChange = Partial<Preferences>;

const PREFERENCES_OF_USER = byKey(
  `SELECT dark_theme AS "darkTheme", shortcuts FROM user_preferences WHERE user_id = $1`,
);

/**
 * A user without stored preferences has a tag too. Only one of several first changes with this tag succeeds.
 */
export const PREFERENCES_VERSION: VersionedRecord = {
  table: 'user_preferences',
  parameter: 'userId',
  key: 'user_id',
  begin: `INSERT INTO user_preferences (user_id, version) VALUES ($1, 0) ON CONFLICT (user_id) DO NOTHING`,
};

const DEFAULTS: Preferences = { darkTheme: false, shortcuts: [] };

/** One statement, so that concurrent changes of different fields are both kept. */
const CHANGE = `
  INSERT INTO user_preferences AS stored (user_id, dark_theme, shortcuts)
  VALUES ($1, coalesce($2::boolean, false), coalesce($3::json, '[]'))
  ON CONFLICT (user_id) DO UPDATE SET
    dark_theme = coalesce($2::boolean, stored.dark_theme),
    shortcuts = coalesce($3::json, stored.shortcuts)`;

@Injectable()
export class PreferencesService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
  ) {}

  async read(userId: number): Promise<Preferences> {
    return (await this.queries.row<Preferences>(PREFERENCES_OF_USER, [userId])) ?? DEFAULTS;
  }

  async update(
    ctx: RequestContext,
    userId: number,
    { darkTheme, shortcuts }: PreferencesChange,
  ): Promise<void> {
    await this.transactions.run(ctx, (manager) =>
      manager.query(CHANGE, [
        userId,
        darkTheme ?? null,
        shortcuts === undefined ? null : JSON.stringify(shortcuts),
      ]),
    );
  }
}
