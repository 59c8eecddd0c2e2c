import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { useMailServer } from '../support/faults/smtp';
import { runCli } from '../support/service/cli';
import { asAdmin } from '../support/service/client';
import { createEmptyDatabase, runStatement } from '../support/service/databases';
import { settingsOn, startServiceProcess } from '../support/service/processes';
import { until } from '../support/service/until';

const mailServer = useMailServer();
const ROOT = join(__dirname, '../..');
const PASSWORD = 'only-for-tests';

/** The SQL of a block of docs/audit.md that holds the words. */
function sqlOfPage(words: string): string {
  const page = readFileSync(join(ROOT, 'docs/audit.md'), 'utf8');
  const sql = [...page.matchAll(/psql "\$OWNER_URL" -c "([^"]+)"/g)].find(([, text = '']) =>
    text.includes(words),
  );
  return sql?.[1] ?? '';
}

/**
 * A database with an owner, and the roles of its name: roles belong to the whole server,
 * on which other tests run.
 */
async function startWithRoles(order: 'before' | 'after') {
  const database = await createEmptyDatabase();
  const owner = `owner_${randomUUID().slice(0, 8)}`;
  const named = (sql: string): string =>
    sql
      .replaceAll('account_service', `${owner}_service`)
      .replaceAll('DATABASE account', `DATABASE ${new URL(database.url).pathname.slice(1)}`)
      .replaceAll('ROLE account ', `ROLE ${owner} `);
  const urlOf = (role: string): string => {
    const url = new URL(database.url);
    [url.username, url.password] = [role, PASSWORD];
    return url.href;
  };
  const roles = named(readFileSync(join(ROOT, 'deploy/postgres-service-role.sql'), 'utf8'));
  const migrateAsOwner = async (): Promise<void> => {
    const { exitCode, messages } = await runCli({ url: urlOf(owner) }, ['migrate']);
    expect([exitCode, exitCode === 0 ? [] : messages]).toEqual([0, []]);
  };
  const name = new URL(database.url).pathname.slice(1);
  await runStatement(
    database.url,
    `CREATE ROLE ${owner} LOGIN PASSWORD '${PASSWORD}'; ALTER DATABASE ${name} OWNER TO ${owner};
     REVOKE ALL ON DATABASE ${name} FROM PUBLIC`,
  );
  if (order === 'after') await migrateAsOwner();
  await runStatement(database.url, `${roles}; ALTER ROLE ${owner}_service PASSWORD '${PASSWORD}'`);
  if (order === 'before') await migrateAsOwner();
  return {
    ownerUrl: urlOf(owner),
    serviceUrl: urlOf(`${owner}_service`),
    named,
    drop: async () => {
      await runStatement(database.url, `DROP OWNED BY ${owner}_service; DROP ROLE ${owner}_service`);
      await database.drop();
      await runStatement(process.env['TEST_SERVER_URL'] ?? '', `DROP ROLE ${owner}`);
    },
  };
}

it.each(['before', 'after'] as const)(
  'deploy/postgres-service-role.sql, run %s the first migration: the service serves, invites and mails, and its role cannot change the schema',
  async (order) => {
    const { ownerUrl, serviceUrl, named, drop } = await startWithRoles(order);
    const service = startServiceProcess(settingsOn(serviceUrl, { SMTP_URL: mailServer.url }));
    try {
      const url = await service.address;
      const admin = await asAdmin({ url });
      const invitation = { email: 'jan@example.nl', firstName: 'Jan', lastName: 'de Vries' };
      await admin.post('/organisations/1/invitations', invitation).expect(201);
      await until(() => mailServer.mails.some(({ to }) => to.includes(invitation.email)));
      await request(url).get('/health/ready').expect(200);
      for (const statement of [
        'DROP TRIGGER audit_log_is_append_only ON audit_log',
        'ALTER TABLE users ADD x integer',
        'CREATE TABLE x (id integer)',
        `INSERT INTO audit_log (action, table_name, record_id) VALUES ('x', 'y', 1)`,
        'DELETE FROM audit_log',
        `SELECT end_audit_rows(interval '1 year', 10)`,
      ]) {
        await expect(runStatement(serviceUrl, statement)).rejects.toMatchObject({ code: '42501' });
      }
      // What RETENTION_AUDIT needs.
      await runStatement(ownerUrl, named(sqlOfPage('end_audit_rows')));
      await runStatement(serviceUrl, `SELECT end_audit_rows(interval '1 year', 10)`);
    } finally {
      const { output, errors } = await service.stop();
      await drop();
      expect(`${output}${errors}`).not.toMatch(
        /permission denied|row-level security|"level":"(error|fatal)"/,
      );
    }
  },
);
