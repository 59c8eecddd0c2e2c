import type { Client } from 'pg';
import { HAS_PGBOUNCER, type PgBouncer, startPgBouncer } from '../support/faults/pgbouncer';
import { useMailServer } from '../support/faults/smtp';
import { runCli } from '../support/service/cli';
import { anonymous, asAdmin } from '../support/service/client';
import { connectTo, createEmptyDatabase, type TestDatabase } from '../support/service/databases';
import { settingsOn, useServiceProcesses } from '../support/service/processes';
import { ADMIN } from '../support/service/service';
import { until } from '../support/service/until';

/** Without PgBouncer the suite is skipped: `apt-get install pgbouncer`, or have it on the PATH. */
const describePoolers = (HAS_PGBOUNCER ? describe : describe.skip).each(['session', 'transaction'] as const);

describePoolers('DATABASE_URL of PgBouncer in %s mode', (mode) => {
  let bouncer: PgBouncer;
  /** Empty: each test starts on a database that has yet to be migrated. */
  let database: TestDatabase;
  let sql: Client;

  const mail = useMailServer();
  const start = useServiceProcesses();

  beforeEach(async () => {
    database = await createEmptyDatabase();
    bouncer = await startPgBouncer(mode, database.url);
    sql = await connectTo(database.url);
  });
  afterEach(async () => {
    await sql.end();
    await bouncer.stop();
    await database.drop();
  });

  const settings = (more: Record<string, string> = {}) =>
    settingsOn(bouncer.urlOf(database.url), {
      ...(mode === 'transaction' && { DATABASE_DIRECT_URL: database.url }),
      RATE_LIMIT: 'off',
      SMTP_URL: mail.url,
      ...more,
    });

  it('two processes that start at once migrate once, serve reads, writes, csv and mails, and end with 0', async () => {
    const started = [start(settings()), start(settings({ API_VARIANT: 'B' }))];
    const urls = await Promise.all(started.map(({ address }) => address));
    const { rows } = await sql.query<{ all: number; once: number }>(
      'SELECT count(*)::integer AS all, count(DISTINCT name)::integer AS once FROM migrations',
    );
    expect(rows[0]?.all).toBe(rows[0]?.once);
    const mailsBefore = mail.mails.length;
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const admin = await asAdmin({ url: urls[index % 2] ?? '' });
        const answers: number[] = [];
        for (let round = 0; round < 5; round++) {
          answers.push((await admin.get('/whoami')).status);
          answers.push((await admin.post('/organisations', { name: `N ${index}`, taxNumber: 'T' })).status);
          answers.push((await admin.get('/organisations?limit=0')).status);
          answers.push((await admin.get('/organisations?format=csv&limit=5')).status);
        }
        return answers;
      }),
    );
    expect(new Set(statuses.flat())).toEqual(new Set([200, 201]));
    const found = await sql.query('SELECT 1 FROM organisations WHERE name LIKE $1', ['N %']);
    expect(found.rowCount).toBe(60);
    await anonymous({ url: urls[0] ?? '' })
      .post('/resetting/send_email', { username: ADMIN.username })
      .expect(204);
    await until(() => mail.mails.length > mailsBefore);
    for (const { stop } of started) expect(await stop()).toMatchObject({ status: 0 });
  });

  if (mode === 'transaction')
    it('a start without DATABASE_DIRECT_URL, or with one of the pooler, ends with one line', async () => {
      const url = bouncer.urlOf(database.url);
      for (const [name, more] of [
        ['DATABASE_URL', {}],
        ['DATABASE_DIRECT_URL', { DATABASE_DIRECT_URL: url }],
      ] as const) {
        const line = new RegExp(
          `^account-api ends with an error: [^\\n]*${name} leads to a pooler[^\\n]*\\n$`,
        );
        expect(await start(settingsOn(url, more)).ended).toMatchObject({
          status: 1,
          errors: expect.stringMatching(line) as string,
        });
      }
      const { rows } = await sql.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`);
      expect(rows).toEqual([]);
    });

  it('POST /login is 503 where a table is locked, in transaction mode by cli database-role-settings', async () => {
    const isTransaction = mode === 'transaction';
    const cli = (...args: string[]) => runCli(undefined, args, { env: settings() });
    expect(await cli('migrate')).toMatchObject({ exitCode: 0 });
    if (isTransaction) {
      expect(await cli('database-role-settings')).toMatchObject({ exitCode: 0 });
      await bouncer.reconnect();
      const { rows } = await sql.query<{ setconfig: string[] }>(
        `SELECT setconfig FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase
         WHERE d.datname = current_database()`,
      );
      expect(rows).toEqual([
        { setconfig: expect.arrayContaining(['statement_timeout=4500', 'jit=off']) as string[] },
      ]);
    }
    const { address, stop } = start(settings());
    const url = await address;
    await sql.query('BEGIN; LOCK TABLE organisations');
    await anonymous({ url }).post('/login', ADMIN).expect(503);
    // The work of jobs begins anew every second and may wait as well: whatever waits now ends.
    const { rows } = await sql.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    await until(async () => {
      await sql.query('SELECT pg_stat_clear_snapshot()');
      const waiting = await sql.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query_start <= $1`,
        [rows[0]?.now],
      );
      return waiting.rowCount === 0;
    });
    await sql.query('ROLLBACK');
    expect((await stop()).output).not.toContain('statement_timeout is 0');
  });

  it('DateStyle, TimeZone and isolation of the database change no answer', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const odd = {
      DateStyle: 'SQL, DMY',
      TimeZone: 'Pacific/Chatham',
      standard_conforming_strings: 'off',
      default_transaction_isolation: 'serializable',
      default_transaction_read_only: 'on',
      bytea_output: 'escape',
    };
    for (const [key, value] of Object.entries(odd))
      await sql.query(`ALTER DATABASE ${name} SET ${key} = '${value}'`);
    // Its open connections keep what was said before.
    await bouncer.reconnect();
    if (mode === 'transaction') {
      const line =
        /^account-api ends with an error: connections to the database have \S+ = [^\n]*"cli database-role-settings"\n$/;
      expect(await start(settings()).ended).toMatchObject({
        status: 1,
        errors: expect.stringMatching(line) as string,
      });
      expect(await runCli(undefined, ['migrate'], { env: settings() })).toMatchObject({ exitCode: 0 });
      expect(await runCli(undefined, ['database-role-settings'], { env: settings() })).toMatchObject({
        exitCode: 0,
      });
      await bouncer.reconnect();
    }
    const { address, stop } = start(settings());
    const url = await address;
    const admin = await asAdmin({ url });
    const begun = Math.floor(Date.now() / 1000);
    const email = 'jan@example.nl';
    const body = { email, firstName: 'Jan', lastName: 'de Vries', autoRoles: '' };
    await admin.post('/organisations/1/invitations', body).expect(201);
    type Events = { events: { timestamp: string }[] };
    const { events } = (await admin.get('/organisations/1/events?limit=1000').expect(200)).body as Events;
    const at = Date.parse(events.at(-1)?.timestamp ?? '') / 1000;
    expect(at).toBeGreaterThan(begun - 60);
    expect(at).toBeLessThan(begun + 60);
    await anonymous({ url }).post('/resetting/send_email', { username: ADMIN.username }).expect(204);
    await until(() => [email, ADMIN.username].every((to) => mail.mails.some((sent) => sent.to.includes(to))));
    expect(await stop()).toMatchObject({ status: 0 });
  }, 300_000);
});
