import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@app/config/operator-errors';
import { SqlMigration } from './sql-migration';

/** The files of `1.0.0/` that describe the data, in the order of their dependencies. */
const FILES = [
  'schema-digests',
  'texts',
  'triggers',
  'audit',
  'audit-exceptions',
  'organisations',
  'organisation-tree',
  'users',
  'suspensions',
  'logins',
  'login-notices',
  'second-factors',
  'passkeys',
  'recovery',
  'keys',
  'contacts',
  'invitations',
  'teams',
  'acls',
  'entities',
  'notifications',
  'mails',
  'documents',
  'events',
  'webhooks',
  'reach',
  'idempotency',
  'support',
  'login-links',
  'brands',
  'privacy',
  'usage',
  'test-clock',
  'statistics',
];

class NoEarlierSchema extends OperatorError {}

/** The schema of release 1.0.0. */
export class InitialSchema1795824000000 extends SqlMigration {
  get steps(): readonly string[] {
    return FILES.map((file) => readFileSync(join(__dirname, '1.0.0', `${file}.sql`), 'utf8'));
  }

  down(): Promise<void> {
    throw new NoEarlierSchema(
      'there is no schema before release 1.0.0: restore a backup, or drop the database',
    );
  }
}
