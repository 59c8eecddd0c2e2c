import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { MigrationInterface } from 'typeorm';

const load = createRequire(__filename);

type MigrationClass = new () => MigrationInterface;

/** The file of a migration, as it is written or compiled: `1700000000000-foundation`. */
const MIGRATION_FILE = /^\d{13}-[a-z0-9-]+\.[jt]s$/;

/**
 * Every migration, oldest first. A migration that has been released is never changed again. They are found by their
 * folder: a list by hand is one more file that a new migration can be forgotten in.
 */
export const MIGRATIONS: readonly MigrationClass[] = readdirSync(__dirname)
  .filter((file) => MIGRATION_FILE.test(file))
  .sort()
  .map((file) => {
    const [migration, ...others] = Object.values(
      load(join(__dirname, file)) as Record<string, MigrationClass>,
    );
    if (migration === undefined || others.length > 0) throw new Error(`${file} exports no single migration`);
    return migration;
  });

// Nothing imports the files, so that a build is told of them (tsconfig.build.json, which takes all of libs).
if (MIGRATIONS.length === 0) throw new Error(`No migration lies in ${__dirname}`);
