import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type DatabaseError } from 'pg';
import { migrate } from '@app/migrations/migrate';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { makeCustomer, makeOrganisation, PASSWORD } from '../support/factories/factories';
import { makeInvitation, registrationOf } from '../support/factories/invitations-factories';
import { Device, makeTwoFactorUser, MovableClock } from '../support/factories/two-factor-factories';
import { pathOf } from '../support/factories/users-factories';
import { useMailServer } from '../support/faults/smtp';
import { audited, type AuditRow, auditRows, CLIENT_ADDRESS } from '../support/service/audit';
import { anonymous, asAdmin } from '../support/service/client';
import { createEmptyDatabase } from '../support/service/databases';
import { runJobs } from '../support/service/jobs';
import { ADMIN, useService } from '../support/service/service';

const NEW_PASSWORD = 'Nieuw-Wachtw00rd';

/** The token is hex digits, eight of which may be decimal. */
const CODE = /(?<![\da-f])\d{8}(?![\da-f])/;
const TOKEN = /[0-9a-f]{64}/;

const mailServer = useMailServer();
const service = useService('A', () => ({
  settings: { trustedProxies: ['127.0.0.1'], smtpUrl: mailServer.url },
}));

/** Asks for a recovery mail; gives what it carries and the rows that writing it left. */
async function recover(username: string): Promise<{ token: string; code: string; rows: AuditRow[] }> {
  const [{ last } = { last: 0 }] = await service.sql<{ last: number }>(
    'SELECT coalesce(max(id), 0)::integer AS last FROM audit_log',
  );
  await anonymous(service).post('/resetting/send_email', { username }).expect(204);
  await runJobs(service);
  const text = mailServer.mailsTo(username).at(-1)?.text ?? '';
  const token = TOKEN.exec(text)?.[0];
  const code = CODE.exec(text)?.[0];
  if (token === undefined || code === undefined) throw new Error(`No recovery mail for ${username}`);
  return { token, code, rows: await auditRows(service, 'id > $1', [last]) };
}

const changeOf = ({ action, table_name }: AuditRow): string => `${action} ${table_name}`;

const escaped = (text: string): string => text.replaceAll(/[^\w]/g, '\\$&');

const failureOf = async (work: Promise<unknown>): Promise<Pick<DatabaseError, 'code' | 'message'>> => {
  const error: unknown = await work.then(
    () => new Error('nothing failed'),
    (reason: unknown) => reason,
  );
  const { code, message } = error as DatabaseError;
  return { code, message };
};

describe('actors without a login', () => {
  it('names the start-up that made the first admin', async () => {
    const rows = await auditRows(service, `actor_credential_kind = 'start-up'`);
    expect(rows.map(({ action, table_name }) => `${action} ${table_name}`)).toEqual([
      'insert organisations',
      'insert users',
    ]);
    expect(rows[1]?.after).toMatchObject({ username: ADMIN.username, roles: ['ROLE_ADMIN'] });
  });

  it('leaves the actor empty for a change past the service', async () => {
    const id = await makeOrganisation(service);
    await service.sql`UPDATE organisations SET city = 'Delft' WHERE id = ${id}`;
    const rows = await auditRows(service, `table_name = 'organisations' AND record_id = $1`, [id]);
    expect(rows).toEqual([
      expect.objectContaining({ action: 'insert' }),
      expect.objectContaining({ action: 'update', before: { city: '' }, after: { city: 'Delft' } }),
    ]);
    for (const row of rows) {
      expect(row).toMatchObject({ actor_user_id: null, actor_credential_kind: null, request_id: null });
    }
  });

  it('names the worker that wrote a recovery mail, then the link and the code in it', async () => {
    const { plain } = await makeCustomer(service);
    const { token, code, rows: written } = await recover(plain.username);
    expect(written.map(changeOf)).toEqual(['insert recovery_requests']);
    expect(written[0]).toMatchObject({
      actor_user_id: null,
      actor_credential_kind: 'job',
      actor_name: 'recovery.write',
      organisation_id: plain.organisationId,
      after: { user_id: plain.id, token_digest: '(changed)', code_digest: '(changed)' },
    });
    const credentialId = written[0]?.record_id;

    const softLogin = { username: plain.username, confirmationCode: code };
    const byCode = await audited(service, anonymous(service).post('/softlogin', softLogin), 200);
    expect(byCode.rows.map(changeOf).sort()).toEqual(['insert logins', 'update recovery_requests']);
    const reset = anonymous(service).post(`/resetting/${token}`, { password: NEW_PASSWORD });
    const byToken = await audited(service, reset, 200);
    expect(byToken.rows.map(changeOf).sort()).toEqual([
      'delete logins',
      'delete logins',
      'update recovery_requests',
      'update users',
    ]);
    for (const [rows, kind] of [
      [byCode.rows, 'confirmation_code'],
      [byToken.rows, 'reset_token'],
    ] as const) {
      for (const row of rows) {
        expect(row).toMatchObject({
          actor_user_id: plain.id,
          actor_credential_kind: kind,
          actor_credential_id: credentialId,
          address: CLIENT_ADDRESS,
        });
      }
    }
  });

  it('forgets the actor with the transaction, however often a connection is used again', async () => {
    const { plain } = await makeCustomer(service);
    for (let n = 0; n < 20; n++) {
      await plain.client
        .patch(pathOf(plain), { username: plain.username, firstName: `Piet ${n}`, lastName: 'x' })
        .expect(204);
    }
    const past = prepared(
      `UPDATE users SET language = CASE language WHEN 'nl' THEN 'fr' ELSE 'nl' END WHERE id = $1`,
    );
    for (let n = 0; n < 20; n++) await service.app.get(DatabaseReads).rows(past, [plain.id]);
    const rows = await auditRows(service, `table_name = 'users' AND record_id = $1 AND after ? 'language'`, [
      plain.id,
    ]);
    expect(rows).toHaveLength(21);
    expect(rows.filter((row) => row.actor_credential_kind !== null)).toEqual([]);
  });
});

describe('secrets', () => {
  it('are nowhere in the log, nor are their digests', async () => {
    const clock = new MovableClock(service);
    const { organisationId, custadmin, plain } = await makeCustomer(service);
    const { client } = custadmin;
    const secrets: string[] = [PASSWORD, NEW_PASSWORD, ADMIN.password, custadmin.client.hash as string];
    secrets.push((await asAdmin(service)).hash as string);

    const user = await makeTwoFactorUser(service, clock, { organisationId });
    const login = await new Device(service, user.username)
      .login({ '6digitCode': clock.code(user.secret), trustThisDevice: true })
      .expect(200);
    const { hash, hash2fa } = login.body as { hash: string; hash2fa: string };
    secrets.push(user.secret, hash, hash2fa);

    const keys = `${pathOf(plain)}/apikeys`;
    const key = await plain.client.post(keys, { name: 'Key', whitelist: [] }).expect(200);
    secrets.push((key.body as { apiKey: { hash: string } }).apiKey.hash);

    const invitation = await makeInvitation(service, { organisationId, inviterId: custadmin.id });
    await anonymous(service)
      .post(`/registerInvitation/${invitation.token}`, registrationOf(invitation, NEW_PASSWORD))
      .expect(201);
    secrets.push(invitation.token);

    const { token, code } = await recover(plain.username);
    await anonymous(service).post(`/resetting/${token}`, { password: NEW_PASSWORD }).expect(200);
    secrets.push(token, code);

    const stored = await service.sql<{ secret: string }>(`
      SELECT encode(digest, 'hex') AS secret FROM logins UNION ALL SELECT encode(digest, 'hex') FROM api_keys
      UNION ALL SELECT encode(digest, 'hex') FROM trusted_devices
      UNION ALL SELECT encode(token_digest, 'hex') FROM invitations
      UNION ALL SELECT encode(token_digest, 'hex') FROM recovery_requests
      UNION ALL SELECT encode(code_digest, 'hex') FROM recovery_requests
      UNION ALL SELECT password_hash FROM users WHERE password_hash <> ''
      UNION ALL SELECT totp_secret FROM users WHERE totp_secret IS NOT NULL`);
    secrets.push(...stored.map(({ secret }) => secret));
    await client.delete(pathOf(user)).expect(204);
    await client.delete(pathOf(plain)).expect(204);

    const log = (await service.sql<{ text: string }>('SELECT a::text AS text FROM audit_log a'))
      .map(({ text }) => text)
      .join('\n');
    // The search itself finds what is there.
    expect(log).toContain(plain.username);
    // Eight digits of a code can be part of any identifier: only whole numbers count.
    const found = secrets.filter((secret) => new RegExp(`(?<!\\w)${escaped(secret)}(?!\\w)`).test(log));
    expect(found).toEqual([]);
    expect(secrets.length).toBeGreaterThan(20);
  });

  it('have telling names in every audited table', async () => {
    const columns = await service.sql<{ column: string }>(`
      SELECT c.table_name || '.' || c.column_name AS column FROM information_schema.columns c
      JOIN pg_trigger t ON t.tgname = 'audit' AND t.tgrelid = c.table_name::regclass
      WHERE c.table_schema = 'public' AND c.data_type = 'bytea'
        AND c.column_name !~ 'hash|digest|secret|token|password' ORDER BY 1`);
    // A public key is no secret, and left out for its length.
    expect(columns.map(({ column }) => column)).toEqual([
      'passkeys.credential_id',
      'passkeys.public_key',
      'ssh_keys.blob',
    ]);
  });
});

describe('append-only', () => {
  const CHANGES = [
    `UPDATE audit_log SET actor_user_id = 1`,
    `UPDATE audit_log SET actor_user_id = 1 WHERE false`,
    `DELETE FROM audit_log WHERE id = (SELECT min(id) FROM audit_log)`,
    `TRUNCATE audit_log`,
  ];

  it.each(CHANGES)('refuses the owner: %s', async (statement) => {
    const before = await auditRows(service, 'true');
    expect(await failureOf(service.sql(statement))).toEqual({
      code: '42501',
      message: `audit_log is append-only: ${statement.split(' ')[0]} is refused`,
    });
    expect(await auditRows(service, 'true')).toEqual(before);
  });

  it('refuses where replication switches ordinary triggers off', async () => {
    const client = new Client({ connectionString: service.database.url });
    await client.connect();
    try {
      await client.query(`SET session_replication_role = replica`);
      expect(await failureOf(client.query('DELETE FROM audit_log'))).toMatchObject({ code: '42501' });
    } finally {
      await client.end();
    }
  });

  it('lets its owner end the retention of old rows as the documentation says, and of those alone', async () => {
    const documentation = readFileSync(join(__dirname, '../../docs/audit.md'), 'utf8');
    const statements = /```sql\n(.+?)```/s.exec(documentation)?.[1] ?? '';
    const id = await makeOrganisation(service);
    // An old row can only come from a clock that was wrong: the trigger takes the time from the transaction.
    await service.sql('ALTER TABLE audit_log ALTER at SET DEFAULT $$2020-01-01$$');
    await service.sql`UPDATE organisations SET city = 'Delft' WHERE id = ${id}`;
    await service.sql('ALTER TABLE audit_log ALTER at SET DEFAULT now()');
    const isOld = `at < '2021-01-01'`;
    const young = await auditRows(service, `NOT ${isOld}`);
    expect(await auditRows(service, isOld)).toHaveLength(1);
    await service.sql(statements);
    const [ending, ...kept] = (await auditRows(service, 'true')).reverse();
    expect(kept.reverse()).toEqual(young);
    expect(ending).toMatchObject({
      action: 'delete',
      table_name: 'audit_log',
      before: null,
      after: { rows: 1 },
    });
    expect(await failureOf(service.sql('DELETE FROM audit_log'))).toMatchObject({ code: '42501' });
  });

  it('holds its owner to the exceptions: nothing is reworded, added or lost that is young', async () => {
    const id = await makeOrganisation(service);
    await service.sql`UPDATE organisations SET city = 'Delft' WHERE id = ${id}`;
    const isRow = `table_name = 'organisations' AND record_id = ${id}`;
    const before = await auditRows(service, isRow);
    const refused = async (exception: string, statement: string) => {
      await service.sql('BEGIN');
      await service.sql`SELECT set_config('audit.exception', ${exception}, true)`;
      const failure = await failureOf(service.sql(statement));
      await service.sql('ROLLBACK');
      expect([statement, failure.code]).toEqual([statement, '42501']);
    };
    for (const change of [
      `after = '{"city": "Gouda"}'`,
      `after = '{"city": "Gouda (erased)"}'`,
      `after = '{"city": "(erased)", "zip": "1"}'`,
      `after = '{}'`,
      `after = NULL`,
      `before = '{"city": "x"}'`,
      `address = '192.0.2.1'`,
      `at = now()`,
      `actor_user_id = 1`,
      `record_id = 1`,
    ]) {
      await refused('erasure', `UPDATE audit_log SET ${change} WHERE ${isRow} AND action = 'update'`);
    }
    await refused('erasure', `DELETE FROM audit_log WHERE ${isRow}`);
    await refused('retention', `DELETE FROM audit_log WHERE ${isRow}`);
    await refused('retention', `UPDATE audit_log SET after = '{"city": "(erased)"}' WHERE ${isRow}`);
    await refused('retention', 'TRUNCATE audit_log');
    await refused('', `UPDATE audit_log SET after = '{"city": "(erased)"}' WHERE ${isRow}`);
    expect(await failureOf(service.sql(`SELECT end_audit_rows(interval '1 second', 10)`))).toMatchObject({
      code: '42501',
    });
    expect(await auditRows(service, isRow)).toEqual(before);
  });

  it('lets nobody but its owner make an exception', async () => {
    const role = `audit_test_${randomUUID().replaceAll('-', '')}`;
    await service.sql(`CREATE ROLE ${role}; GRANT ALL ON audit_log TO ${role}`);
    try {
      await service.sql(`SET ROLE ${role}`);
      for (const call of [
        `end_audit_rows(interval '1 year', 10)`,
        `forget_records_in_audit(1, '{users}', '{1}')`,
        `forget_addresses_in_audit(1, 10)`,
      ]) {
        const failure = await failureOf(service.sql(`SELECT ${call}`));
        expect(failure.message).toContain('permission denied for function');
      }
      // The setting alone opens nothing, not even for a role that was let in to the table.
      await service.sql(`SELECT set_config('audit.exception', 'erasure', false)`);
      const failure = await failureOf(service.sql(`UPDATE audit_log SET address = NULL`));
      expect(failure.code).toBe('42501');
    } finally {
      await service.sql(`RESET ROLE; RESET audit.exception; DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });

  it('lets a role that only serves requests read the log and leave rows by its changes, nothing else', async () => {
    const database = await createEmptyDatabase();
    const role = `audit_test_${randomUUID().replaceAll('-', '')}`;
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      // As an operator would do it before the first start.
      await client.query(`CREATE ROLE ${role};
        ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO ${role};
        ALTER DEFAULT PRIVILEGES GRANT ALL ON SEQUENCES TO ${role}`);
      await migrate(database.url);
      await client.query(`SET ROLE ${role}`);
      await client.query(`INSERT INTO organisations (id, name, tax_number) VALUES (1, 'Operator', '')`);
      // A table of this name that is found first takes no rows away.
      await client.query(`CREATE TEMPORARY TABLE audit_log (LIKE public.audit_log)`);
      await client.query(`UPDATE organisations SET name = 'Hoster'`);
      const { rows } = await client.query('SELECT action, before, after FROM public.audit_log ORDER BY id');
      expect(rows).toEqual([
        expect.objectContaining({ action: 'insert' }),
        { action: 'update', before: { name: 'Operator' }, after: { name: 'Hoster' } },
      ]);
      for (const change of [
        ...CHANGES,
        `INSERT INTO audit_log (action, table_name, record_id) VALUES ('x', 'y', 1)`,
      ]) {
        const statement = change.replaceAll('audit_log', 'public.audit_log');
        expect(await failureOf(client.query(statement))).toEqual({
          code: '42501',
          message: 'permission denied for table audit_log',
        });
      }
    } finally {
      await client.query(`RESET ROLE; DROP OWNED BY ${role}; DROP ROLE ${role}`);
      await client.end();
      await database.drop();
    }
  });
});
