import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createEmptyDatabase, runStatement, type TestDatabase } from './databases';

const FOLDER = join(__dirname, '../../releases');

/** What the tests of upgrades need of a build. */
export interface Release {
  readonly name: string;
  /** Makes its database. */
  restore(): Promise<TestDatabase>;
  /** The statements that its processes sent while all written samples of both variants were asked for. */
  statements(): readonly string[];
}

const textOf = (...path: string[]): string => gunzipSync(readFileSync(join(FOLDER, ...path))).toString();

/** SQL that completes the rows of a dump (docs/release.md). */
export const RELEASE_ROWS = readFileSync(join(__dirname, 'release-rows.sql'), 'utf8');

/**
 * All releases, oldest first: each left a dump, with rows in every table, and a list of statements.
 * None before 1.0.0 is made.
 */
export const RELEASES: readonly Release[] = (existsSync(FOLDER) ? readdirSync(FOLDER) : [])
  .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  .map((name) => ({
    name,
    statements: () => JSON.parse(textOf(name, 'statements.json.gz')) as string[],
    restore: async () => {
      const database = await createEmptyDatabase();
      await runStatement(database.url, textOf(name, 'dump.sql.gz'));
      return database;
    },
  }));
