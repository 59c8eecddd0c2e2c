import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SqlMigration } from './sql-migration';

const load = createRequire(__filename);

type MigrationClass = new () => SqlMigration;

/** The file of a migration, before or after compilation: `1700000000000-foundation`. */
const MIGRATION_FILE = /^\d{13}-[a-z0-9-]+\.[jt]s$/;

/**
 * Every migration in this folder, oldest first. A released migration never changes, not in a comment either,
 * because its digest is in the databases that ran it; until 1.0.0 is released, its SQL does.
 */
export const MIGRATIONS: readonly MigrationClass[] = readdirSync(__dirname)
  .filter((file) => MIGRATION_FILE.test(file))
  .sort()
  .map((file) => {
    const [migration, ...others] = Object.values(
      load(join(__dirname, file)) as Record<string, MigrationClass>,
    );
    if (migration === undefined || others.length > 0) throw new Error(`${file} exports no single migration`);
    if (!(migration.prototype instanceof SqlMigration)) throw new Error(`${file} extends no SqlMigration`);
    return migration;
  });

// No file imports the migrations, but tsconfig.build.json compiles all of libs.
if (MIGRATIONS.length === 0) throw new Error(`No migration lies in ${__dirname}`);
