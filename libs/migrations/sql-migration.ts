import { createHash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A migration that is SQL. Its digest is stored in its transaction, so that every build can tell whether
 * the database has run this text or another one under the same name.
 */
export abstract class SqlMigration implements MigrationInterface {
  /** What runs, in its order, one or several statements each. `@schema@` stands for the current schema. */
  abstract readonly steps: readonly string[];

  abstract down(runner: QueryRunner): Promise<void>;

  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [
      { schema: string },
    ];
    for (const step of this.steps) await runner.query(withPlainLines(step).replaceAll('@schema@', schema));
    await runner.query(
      `INSERT INTO schema_digests (migration, sha256) VALUES ($1, $2)
       ON CONFLICT (migration) DO UPDATE SET sha256 = excluded.sha256`,
      [this.constructor.name, this.digest()],
    );
  }

  /**
   * Hexadecimal SHA-256 of the steps as they stand, comments too: to know which comments PostgreSQL keeps, in
   * the bodies of functions, one would have to read SQL. Only the ends of lines do not count, because git
   * changes them.
   */
  digest(): string {
    const hash = createHash('sha256');
    for (const step of this.steps) hash.update(withPlainLines(step)).update('\0');
    return hash.digest('hex');
  }
}

const withPlainLines = (text: string): string => text.replaceAll('\r\n', '\n');
