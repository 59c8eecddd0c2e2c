import { loginRecord } from '../../qa/responses';
import { useCountryDatabase } from '../support/factories/country-database';
import { clientOf, type MadeUser, makeCustomer, makeUser, PASSWORD } from '../support/factories/factories';
import { makeApiKey, makeServiceKey } from '../support/factories/key-factories';
import { makeSupportLogin } from '../support/factories/support-factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { atOnce } from '../support/service/at-once';
import { auditRows, loginIdOf } from '../support/service/audit';
import { anonymous, ApiClient, loggedIn } from '../support/service/client';
import { describeService, useService } from '../support/service/service';
import { letExpire, makeOlder } from '../support/service/time';

const STAFF = { organisationId: 1, roles: ['ROLE_ADMIN'] };
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:120.0) Gecko/20100101 Firefox/120.0';

interface Login {
  readonly id: number;
  readonly current: boolean;
}

const pathOf = (user: MadeUser): string => `/organisations/${user.organisationId}/users/${user.id}/logins`;

describe.each(SHARED_VARIANTS)('GET and DELETE …/users/{userId}/logins in Variant %s: they', (variant) => {
  const service = useService(variant, { settings: { geoipDb: useCountryDatabase('NL') } });

  const listed = async (client: ApiClient, user: MadeUser, query = '?limit=0'): Promise<Login[]> =>
    ((await client.get(`${pathOf(user)}${query}`).expect(200)).body as { logins: Login[] }).logins;

  /** The ids of so many further logins, of which each was used a minute before the one after it. */
  async function makeLogins(user: MadeUser, agents: readonly string[]): Promise<number[]> {
    const ids: number[] = [];
    for (const [index, agent] of agents.entries()) {
      const [row] = await service.sql<{ id: number }>(
        `INSERT INTO logins (user_id, digest, expires_at, address, os, browser, country, last_used_at)
         VALUES ($1, sha256(gen_random_uuid()::text::bytea), now() + interval '1 day', $2, 'Linux', $3, 'BE',
           now() - make_interval(mins => $4)) RETURNING id`,
        [user.id, `192.0.2.${index + 1}`, agent, 100 - index],
      );
      ids.push(row?.id as number);
    }
    return ids;
  }

  it('tell since when, from where and with what, and which one is presented', async () => {
    const { plain } = await makeCustomer(service);
    const since = Math.floor(Date.now() / 1000);
    const response = await anonymous(service)
      .post('/login', { username: plain.username, password: PASSWORD })
      .set('User-Agent', FIREFOX)
      .expect(200);
    const client = new ApiClient(service.url, (response.body as { hash: string }).hash);
    const { body } = await client.get(pathOf(plain)).expect(200);
    const seconds = expect.stringMatching(/^\d+$/) as string;
    const id = await loginIdOf(service, { ...plain, client });
    expect(body).toEqual({
      total: 2,
      logins: [
        loginRecord({
          id: await loginIdOf(service, plain),
          dtCreated: seconds,
          dtLastUsed: seconds,
          ip: '127.0.0.1',
          country: '',
          os: '',
          browser: '',
        }),
        loginRecord({
          id,
          dtCreated: seconds,
          dtLastUsed: seconds,
          ip: '127.0.0.1',
          country: 'NL',
          os: 'Windows 10',
          browser: 'Firefox 120.0',
          current: true,
        }),
      ],
    });
    const { dtCreated } = (body as { logins: { dtCreated: string }[] }).logins[1] ?? {};
    expect(Math.abs(Number(dtCreated) - since)).toBeLessThan(60);
    expect(JSON.stringify(body)).not.toContain(client.hash);
  });

  it('are none of them current for an API key, which ends all of them', async () => {
    const { plain } = await makeCustomer(service);
    await makeLogins(plain, ['a', 'b']);
    const key = await makeApiKey(service, plain.id);
    expect((await listed(key.client, plain)).map(({ current }) => current)).toEqual([false, false, false]);
    await key.client.delete(pathOf(plain)).expect(204);
    expect(await listed(key.client, plain)).toEqual([]);
    await plain.client.get('/whoami').expect(401);
  });

  it('are no more listed, nor found, once they have ended', async () => {
    const { plain } = await makeCustomer(service);
    const [expired, unused, alive] = await makeLogins(plain, ['a', 'b', 'c']);
    await letExpire(service, 'logins', { id: expired as number });
    await makeOlder(service, 'logins', { id: unused as number }, '7 days', ['last_used_at']);
    expect((await listed(plain.client, plain)).map(({ id }) => id)).toEqual([
      await loginIdOf(service, plain),
      alive,
    ]);
    for (const id of [expired, unused]) await plain.client.delete(`${pathOf(plain)}/${id}`).expect(404);
    await plain.client.delete(`${pathOf(plain)}/${alive}`).expect(204);
  });

  it('are 1,000: the one that was unused for longest makes room, one for each of 16 at once', async () => {
    const [{ plain }, other] = [await makeCustomer(service), await makeCustomer(service)];
    const [oldest, ...others] = await makeLogins(plain, Array<string>(20).fill('a'));
    await makeOlder(service, 'logins', { id: oldest as number }, '1 day', ['last_used_at']);
    await service.sql(
      `INSERT INTO logins (user_id, digest, expires_at, address)
       SELECT $1, sha256(gen_random_uuid()::text::bytea), now() + interval '1 day', '192.0.2.1'
       FROM generate_series(1, 979)`,
      [plain.id],
    );
    // The first login of the user, which it goes on using, is the eldest of all.
    await makeOlder(service, 'logins', { id: await loginIdOf(service, plain) }, '2 days', ['created_at']);
    const before = await listed(plain.client, plain);
    expect(before).toHaveLength(1000);
    const logIn = () => anonymous(service).post('/login', { username: plain.username, password: PASSWORD });
    await logIn().expect(200);
    const idsOf = (logins: readonly Login[]): number[] => logins.map(({ id }) => id);
    const after = await listed(plain.client, plain);
    expect(after).toHaveLength(1000);
    expect(idsOf(before).filter((id) => !idsOf(after).includes(id))).toEqual([oldest]);
    const responses = await atOnce(16, logIn);
    expect(responses.map(({ status }) => status)).toEqual(Array(16).fill(200));
    const last = await listed(plain.client, plain);
    expect(last).toHaveLength(1000);
    expect(idsOf(after).filter((id) => !idsOf(last).includes(id))).toEqual(others.slice(0, 16));
    for (const { body } of responses)
      await new ApiClient(service.url, (body as { hash: string }).hash).get('/whoami').expect(200);
    await other.plain.client.get('/whoami').expect(200);
  });

  it('by links make room among themselves, and support logins take none', async () => {
    const { plain } = await makeCustomer(service);
    const [own] = await makeLogins(plain, ['a']);
    const insert = (count: number, columns: string, values: string) =>
      service.sql(
        `INSERT INTO logins (user_id, digest, expires_at, address${columns})
         SELECT $1, sha256(gen_random_uuid()::text::bytea), now() + interval '30 minutes', '192.0.2.1'${values}
         FROM generate_series(1, ${count})`,
        [plain.id],
      );
    const { id: keyId } = await makeServiceKey(service, 1);
    await insert(1001, ', service_key_id, service_key_name', `, ${keyId}, 'Billing'`);
    await insert(998, '', '');
    const support = await makeSupportLogin(service, plain.id, (await makeUser(service, STAFF)).id);
    const counts = await service.sql`
      SELECT count(*) FILTER (WHERE service_key_name IS NOT NULL)::integer AS links,
        count(*) FILTER (WHERE service_key_name IS NULL AND staff_id IS NULL)::integer AS own
      FROM logins WHERE user_id = ${plain.id}`;
    expect(counts).toEqual([{ links: 1000, own: 1000 }]);
    expect((await listed(plain.client, plain)).map(({ id }) => id)).toContain(own);
    await support.get('/whoami').expect(200);
  });

  it('are a table as csv', async () => {
    const { plain } = await makeCustomer(service);
    const [id] = await makeLogins(plain, ['Opera']);
    const csv = await plain.client.get(`${pathOf(plain)}?format=csv&filter=opera`).expect(200);
    expect(csv.text.split('\r\n')[0]).toBe(
      'id,dtCreated,dtLastUsed,ip,country,os,browser,current,support,reason,serviceKey',
    );
    expect(csv.text).toContain(`${id},`);
  });

  it('end one by one, the presented one too, for the next request', async () => {
    const { plain } = await makeCustomer(service);
    const elsewhere = await clientOf(service, plain.id);
    await plain.client
      .delete(`${pathOf(plain)}/${await loginIdOf(service, { ...plain, client: elsewhere })}`)
      .expect(204);
    await elsewhere.get('/whoami').expect(401);
    await plain.client.delete(`${pathOf(plain)}/${await loginIdOf(service, plain)}`).expect(204);
    await plain.client.get('/whoami').expect(401);
  });

  it('end at once but for the presented one, which a manager of the user does not present', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const others = [await clientOf(service, plain.id), await clientOf(service, plain.id)];
    const colleague = await makeUser(service, { organisationId: plain.organisationId });
    await plain.client.delete(pathOf(plain)).expect(204);
    for (const other of others) await other.get('/whoami').expect(401);
    await plain.client.get('/whoami').expect(200);
    await custadmin.client.delete(pathOf(plain)).expect(204);
    await plain.client.get('/whoami').expect(401);
    for (const { client } of [custadmin, colleague]) await client.get('/whoami').expect(200);
  });

  it('end once: of 16 at once one 204, then 404, and one row in the audit log that names who', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const id = await loginIdOf(service, plain);
    const responses = await atOnce(16, () => custadmin.client.delete(`${pathOf(plain)}/${id}`));
    expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(15).fill(404)]);
    const rows = await auditRows(service, `table_name = 'logins' AND action = 'delete' AND record_id = $1`, [
      id,
    ]);
    expect(rows).toMatchObject([
      { actor_user_id: custadmin.id, actor_credential_kind: 'login', organisation_id: plain.organisationId },
    ]);
  });
});

describeService(['A'], 'the end of a login', (service) => {
  const statusOf = async (hash: string): Promise<number> =>
    (await anonymous(service).get('/whoami').set('Authorization', hash)).status;

  it('comes 7 days after its last use, and 30 days after it began', async () => {
    const { id, username } = (await makeCustomer(service)).plain;
    await service.sql`DELETE FROM logins WHERE user_id = ${id}`;
    const hash = (await loggedIn(service, username, PASSWORD)).hash as string;
    const pass = (days: number): Promise<unknown> =>
      makeOlder(service, 'logins', { user_id: id }, `${days} days`, ['last_used_at', 'expires_at']);
    for (let week = 0; week < 4; week++) {
      await pass(6.9);
      expect(await statusOf(hash)).toBe(200);
      await useIsWritten(id);
    }
    await pass(2.5);
    expect(await statusOf(hash)).toBe(401);

    const idle = (await loggedIn(service, username, PASSWORD)).hash as string;
    await pass(7.01);
    expect(await statusOf(idle)).toBe(401);
  });

  /** The use of a credential is written beside the answer, not before it. */
  async function useIsWritten(userId: number): Promise<void> {
    for (;;) {
      const rows = await service.sql`SELECT 1 FROM logins WHERE user_id = ${userId}
           AND last_used_at > now() - interval '1 minute'`;
      if (rows.length > 0) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
});
