import request from 'supertest';
import { type PerVariant, VARIANTS } from '../../../qa/variants';
import { makeCustomer, nextNumber, PASSWORD } from '../../support/factories/factories';
import { asAdmin } from '../../support/service/client';
import { type TestService, useService } from '../../support/service/service';

/** Secrets in the places that requests have for them, and a text in the query, which no log line tells. */
const PLANTED = {
  password: 'Planted-passw0rd-1',
  authorization: 'planted-authorization-2',
  token: 'planted-token-3',
  code: 'planted-code-4',
  query: 'planted-query-5',
} as const;

/** Every value of every table of every schema, as text. */
async function everythingStored(service: TestService): Promise<string> {
  const tables = await service.sql<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`,
  );
  let everything = '';
  for (const { name } of tables) {
    const rows = await service.sql<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    everything += rows.map(({ row }) => row).join('\n');
  }
  return everything;
}

/** The codes and tokens that answers gave, however deep. */
function hashesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^[0-9a-f]{64}$/.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(hashesIn);
}

/** How many secrets the routes hand out at least. */
const SECRETS: PerVariant<number> = { A: 3, B: 2 };

describe.each(VARIANTS)('secrets that requests send or get, in Variant %s,', (variant) => {
  const service = useService(variant, { settings: { logLevel: 'trace' } });

  const call = (method: 'get' | 'post' | 'patch' | 'put', path: string, hash: string, body?: object) =>
    request(service.url)[method](`/v1${path}`).set('Authorization', hash).send(body);

  /** Sends secrets in every place that takes one; the answers do not matter. */
  async function useSecrets(): Promise<string[]> {
    const { organisationId, plain, custadmin } = await makeCustomer(service);
    const { password, authorization, token, code, query } = PLANTED;
    const user = `/organisations/${organisationId}/users/${plain.id}`;
    const own = plain.client.hash ?? '';
    const login = { username: plain.username, password: PASSWORD };
    const responses = await Promise.all([
      call('post', '/login', '', login),
      call('post', '/login', '', { ...login, password }),
      call('post', '/login', '', {
        username: plain.username,
        password,
        '6digitCode': code,
        '2faToken': token,
      }),
      call('post', '/softlogin', '', { username: plain.username, confirmationCode: code }),
      call('post', '/enable2faandget2fasecret', '', { username: plain.username, password }),
      call('post', `/resetting/${token}`, '', { password }),
      call('post', `/registerInvitation/${token}`, '', { email: 'a@b.example', password }),
      call('get', `/organisations/${organisationId}?filter=${query}&hash=${token}`, authorization),
      call('get', '/whoami', authorization),
      call('post', `${user}/changepassword`, own, { oldPassword: password, password: `${password}x` }),
      call('post', `${user}/apikeys`, own, { name: `Key ${nextNumber()}`, whitelist: [] }),
      call('post', `/organisations/${organisationId}/invitations`, custadmin.client.hash ?? '', {
        email: `invited${nextNumber()}@example.com`,
        firstName: 'Piet',
        lastName: 'Bakker',
      }),
      call('post', `/organisations/${organisationId}/userandcontact`, (await asAdmin(service)).hash ?? '', {
        username: `made${nextNumber()}@example.com`,
        firstName: 'Piet',
        lastName: 'Bakker',
        password,
      }),
      call('post', '/resetting/send_email', '', { username: plain.username }),
    ]);
    return [...responses.flatMap(({ body }) => hashesIn(body)), own];
  }

  const leaked = (text: string, secrets: readonly string[]): string[] =>
    secrets.filter((secret) => text.includes(secret));

  it('are in no log line, and in no table but as digests', async () => {
    const handedOut = await useSecrets();
    expect(handedOut.length).toBeGreaterThanOrEqual(SECRETS[variant]);
    const secrets = [...handedOut, ...Object.values(PLANTED)];
    expect(leaked(service.logLines.join('\n'), secrets)).toEqual([]);
    expect(leaked(await everythingStored(service), secrets)).toEqual([]);
    expect(service.logLines.length).toBeGreaterThan(10);
  });

  it('are in no log line and no answer either when the database goes away in the middle', async () => {
    let isOver = false;
    const killing = (async () => {
      while (!isOver) {
        await service.sql(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'account-api'`,
        );
      }
    })();
    const statuses = new Map<number, number>();
    const { password, authorization } = PLANTED;
    const username = `gone${nextNumber()}@example.com`;
    try {
      for (let round = 0; round < 40; round++) {
        // A guess whose answer was lost is counted all the same: ten of them would end the test with 429.
        await service.sql('DELETE FROM attempts');
        const responses = await Promise.all([
          call('post', '/login', '', { username, password }),
          call('get', '/whoami', authorization),
          call('post', '/resetting/send_email', '', { username }),
          call('post', '/login', '', { username: 'admin@operator.example', password }),
        ]);
        for (const { status, text, body } of responses) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          expect(leaked(text, Object.values(PLANTED))).toEqual([]);
          // No SQL and no name of a table in what a client reads.
          expect(text).not.toMatch(/select|insert|update |from users|attempts|pg_|terminat/i);
          // The latter where the COMMIT of a write was under way.
          if (status >= 500)
            expect(['UNAVAILABLE', 'OUTCOME_UNKNOWN']).toContain((body as { reason: string }).reason);
        }
      }
    } finally {
      isOver = true;
      await killing;
    }
    expect(statuses.get(503)).toBeGreaterThan(0);
    expect(leaked(service.logLines.join('\n'), Object.values(PLANTED))).toEqual([]);
  });

  it('are in no answer and no log line of an unexpected fault (500 INTERNAL_ERROR)', async () => {
    const client = await asAdmin(service);
    await service.sql('ALTER TABLE logins RENAME TO logins_away');
    try {
      const response = await call('post', '/login', '', {
        username: 'admin@operator.example',
        password: 'Operator-1',
      });
      expect(response.status).toBe(500);
      expect(Object.keys(response.body as object).sort()).toEqual(['code', 'message', 'reason', 'requestId']);
      expect(response.body).toMatchObject({ code: 500, message: 'Internal error', reason: 'INTERNAL_ERROR' });
      expect((await client.get('/whoami')).status).toBe(500);
    } finally {
      await service.sql('ALTER TABLE logins_away RENAME TO logins');
    }
    const lines = service.logLines.filter((line) => line.includes('logins'));
    expect(lines.length).toBeGreaterThan(0);
    expect(leaked(lines.join('\n'), ['Operator-1', client.hash ?? ''])).toEqual([]);
  });
});
