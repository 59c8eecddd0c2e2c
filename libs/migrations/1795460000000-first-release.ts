import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@app/platform/process/settings';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The files of `1.0.0/` that describe the data, in the order of their dependencies. Bodies of functions have the same
 * indentation as in databases from before release 1.0.0, so that the dumps are equal.
 */
const FILES = [
  'triggers',
  'audit',
  'audit-exceptions',
  'organisations',
  'organisation-tree',
  'users',
  'logins',
  'second-factors',
  'recovery',
  'keys',
  'acls',
  'contacts',
  'invitations',
  'teams',
  'entities',
  'notifications',
  'documents',
  'events',
  'webhooks',
  'idempotency',
  'suspensions',
  'support',
  'privacy',
  'usage',
  'refusals',
  'test-clock',
  'statistics',
];

/** The last migrations from before releases, which were written in parallel. With all of them the schema is that of 1.0.0. */
const LAST_BEFORE = [
  'FirstLoginsBefore1795800001000',
  'LoginsBeginSupportLogins1795801000000',
  'ValidateLoginsBeginSupportLogins1795801001000',
  'PasskeysOfOnePage1795801002000',
  'VersionsThatAreSet1795801003000',
  'ExemptPrograms1795802000000',
  'WebhookTurns1795803000000',
];
/** The last commit with these migrations. */
const COMMIT_BEFORE = '55d9133';

class NotMigratable extends OperatorError {}

/** The schema of release 1.0.0. A database with all migrations from before it has this schema already. */
export class FirstRelease1795460000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const earlier = (await runner.query('SELECT name FROM migrations ORDER BY id')) as { name: string }[];
    if (LAST_BEFORE.every((before) => earlier.some(({ name }) => name === before))) return;
    const last = earlier.at(-1);
    if (last !== undefined)
      throw new NotMigratable(
        `the schema is older than release 1.0.0 (${last.name}): run \`migrate\` of commit ${COMMIT_BEFORE} first`,
      );
    const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [
      { schema: string },
    ];
    for (const file of FILES) {
      const sql = readFileSync(join(__dirname, '1.0.0', `${file}.sql`), 'utf8');
      await runner.query(sql.replaceAll('@schema@', schema));
    }
  }

  down(): Promise<void> {
    throw new NotMigratable(
      'there is no schema before release 1.0.0: restore a backup, or drop the database',
    );
  }
}
