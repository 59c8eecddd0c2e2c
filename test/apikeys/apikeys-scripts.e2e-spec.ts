import { CleanUpHandler } from '@app/platform/jobs/clean-up';
import { AnnounceKeyEndsHandler } from '@app/sign-in/apikeys/announce-key-ends.handler';
import { newApiKey } from '../../qa/responses';
import { type MadeUser, makeCustomer } from '../support/factories/factories';
import { makeApiKey } from '../support/factories/key-factories';
import { useMailServer } from '../support/faults/smtp';
import { atOnce } from '../support/service/at-once';
import { audited, auditRows } from '../support/service/audit';
import { ApiClient, failingFields } from '../support/service/client';
import { runJob, runJobs, timetableOf } from '../support/service/jobs';
import { startTestService, useService } from '../support/service/service';
import { letExpire, letExpireIn, makeOlder } from '../support/service/time';
import { until } from '../support/service/until';
import { NEIGHBOUR } from '../support/service/variants';

const DAY = 86_400;
const YEAR = 365 * DAY;

interface Created {
  readonly id: number;
  readonly name: string;
  readonly whitelist: string[];
  readonly hash: string;
}

interface Key {
  readonly id: number;
  readonly name: string;
  readonly whitelist: string[];
  readonly readOnly: boolean;
  readonly dtCreated: string;
  readonly dtLastUsed: string;
  readonly dtRotated: string;
  readonly dtExpires: string;
}

const keysOf = (user: MadeUser): string => `/organisations/${user.organisationId}/users/${user.id}/apikeys`;
const now = (): number => Math.floor(Date.now() / 1000);

const mailServer = useMailServer();
const service = useService('A', () => ({
  settings: { smtpUrl: mailServer.url, trustedProxies: ['127.0.0.1'] },
}));

async function create(user: MadeUser, fields: object = {}): Promise<Created> {
  const body = { name: 'Deployment', whitelist: [], ...fields };
  return ((await user.client.post(keysOf(user), body).expect(200)).body as { apiKey: Created }).apiKey;
}

const read = async (user: MadeUser, id: number): Promise<Key> =>
  ((await user.client.get(`${keysOf(user)}/${id}`).expect(200)).body as { apiKey: Key }).apiKey;

const rotate = (user: MadeUser, id: number, body?: object) =>
  user.client.post(`${keysOf(user)}/${id}/rotate`, body);

const speaking = (hash: string): ApiClient => new ApiClient(service.url, hash);

describe('POST …/apikeys: the end of a new key', () => {
  it.each([
    ['a number', (at: number) => at],
    ['text', (at: number) => String(at)],
  ])('is chosen as %s', async (_, form) => {
    const { plain } = await makeCustomer(service);
    const expires = now() + 3 * DAY;
    const created = await create(plain, { expires: form(expires) });
    expect(Object.keys(created).sort()).toEqual(Object.keys(newApiKey()).sort());
    expect(await read(plain, created.id)).toMatchObject({ dtExpires: String(expires) });
  });

  it('is a year away where none is chosen', async () => {
    const { plain } = await makeCustomer(service);
    for (const expires of ['', null, undefined]) {
      const { dtCreated, dtExpires } = await read(plain, (await create(plain, { expires })).id);
      expect(Number(dtExpires) - Number(dtCreated)).toBe(YEAR);
    }
  });

  it.each([
    ['over', () => now() - 1],
    ['later than API_KEY_TTL allows', () => now() + YEAR + 600],
    ['the end of time', () => 253_402_300_799],
  ])('is refused when it is %s', async (_, expires) => {
    const { plain } = await makeCustomer(service);
    const body = { name: 'n', whitelist: [], expires: expires() };
    expect(failingFields(await plain.client.post(keysOf(plain), body).expect(400))).toEqual(['expires']);
    const { id } = await makeApiKey(service, plain.id);
    expect(failingFields(await rotate(plain, id, { expires: expires() }).expect(400))).toEqual(['expires']);
    expect((await plain.client.get(keysOf(plain))).body).toMatchObject({ total: 1 });
    expect(await read(plain, id)).toMatchObject({ dtRotated: '' });
  });
});

describe('PUT …/apikeys: a read-only key', () => {
  it('reads alone, also once it is changed, and so does the key that takes its place', async () => {
    const { plain } = await makeCustomer(service);
    const { id, hash } = await create(plain, { readOnly: true });
    await plain.client
      .put(`${keysOf(plain)}/${id}`, { name: 'n', whitelist: [], readOnly: false })
      .expect(204);
    expect(await read(plain, id)).toMatchObject({ name: 'n', readOnly: true, dtLastUsed: '' });
    await speaking(hash).call('head', '/whoami').expect(200);
    await speaking(hash).post('/logout').expect(403);
    expect(Math.abs(Number((await read(plain, id)).dtLastUsed) - now())).toBeLessThan(60);
    const successor = ((await rotate(plain, id).expect(200)).body as { apiKey: Created }).apiKey;
    expect(await read(plain, successor.id)).toMatchObject({ name: 'n', readOnly: true });
  });
});

describe('POST …/apikeys/{apiKeyId}/rotate', () => {
  it('makes a key with the same settings; the old one lives on as long as is asked', async () => {
    const { plain } = await makeCustomer(service);
    const settings = { name: 'Robot', whitelist: ['127.0.0.0/8'], expires: now() + 90 * DAY };
    const old = await create(plain, settings);
    const response = await rotate(plain, old.id, { oldKeyHours: 168 }).expect(200);
    const { apiKey: made } = response.body as { apiKey: Created };
    expect(response.body).toEqual({
      apiKey: newApiKey({
        id: expect.any(Number) as number,
        name: 'Robot',
        whitelist: ['127.0.0.0/8'],
        hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      }),
    });
    expect(made.hash).not.toBe(old.hash);
    for (const { hash } of [old, made]) await speaking(hash).get('/whoami').expect(200);
    const before = await read(plain, old.id);
    const after = await read(plain, made.id);
    expect(Math.abs(Number(before.dtExpires) - now() - 7 * DAY)).toBeLessThan(60);
    expect(Math.abs(Number(before.dtRotated) - now())).toBeLessThan(60);
    expect(Math.abs(Number(after.dtExpires) - now() - 90 * DAY)).toBeLessThan(60);
    expect(after.dtRotated).toBe('');
    await letExpire(service, 'api_keys', { id: old.id });
    await speaking(old.hash).get('/whoami').expect(401);
    await speaking(made.hash).get('/whoami').expect(200);
  });

  it('leaves the old key a day where nothing is asked, and never longer than it had', async () => {
    const { plain } = await makeCustomer(service);
    const long = await create(plain);
    const short = await create(plain, { expires: now() + 3600 });
    const { dtExpires } = await read(plain, short.id);
    for (const { id } of [long, short]) await rotate(plain, id).expect(200);
    expect(Math.abs(Number((await read(plain, long.id)).dtExpires) - now() - DAY)).toBeLessThan(60);
    expect(await read(plain, short.id)).toMatchObject({ dtExpires });
  });

  it('ends the old key at once with 0, also where the user has as many as can be', async () => {
    const { plain } = await makeCustomer(service);
    const old = await create(plain);
    await service.sql`INSERT INTO api_keys (user_id, name, digest, expires_at)
       SELECT ${plain.id}, 'k', sha256(gen_random_uuid()::text::bytea), now() + interval '1 day'
         FROM generate_series(1, 49)`;
    const refused = await rotate(plain, old.id, { oldKeyHours: 1 }).expect(400);
    expect(refused.body).toMatchObject({ reason: 'LIMIT_REACHED' });
    expect(await read(plain, old.id)).toMatchObject({ dtRotated: '' });
    await rotate(plain, old.id, { oldKeyHours: 0 }).expect(200);
    await speaking(old.hash).get('/whoami').expect(401);
    await plain.client.get(`${keysOf(plain)}/${old.id}`).expect(404);
    expect((await plain.client.get(keysOf(plain))).body).toMatchObject({ total: 50 });
  });

  it.each([
    ['one key lives on', 24, [200, ...Array<number>(15).fill(400)], 2],
    ['it ends at once', 0, [200, ...Array<number>(15).fill(404)], 1],
  ])('of one key by 16 at once makes one new key where %s', async (_, oldKeyHours, statuses, left) => {
    const { plain } = await makeCustomer(service);
    const { id } = await create(plain);
    const responses = await atOnce(16, async () => rotate(plain, id, { oldKeyHours }));
    expect(responses.map(({ status }) => status).sort()).toEqual(statuses);
    for (const { status, body } of responses) {
      if (status === 400) expect(body).toMatchObject({ reason: 'API_KEY_ROTATED' });
    }
    expect((await plain.client.get(keysOf(plain))).body).toMatchObject({ total: left });
  });

  it('goes on with the successor, and renews a key that has expired', async () => {
    const { plain } = await makeCustomer(service);
    const first = await create(plain);
    await service.sql`UPDATE api_keys
       SET created_at = now() - interval '9 days', expires_at = now() - interval '1 day'
       WHERE id = ${first.id}`;
    const second = ((await rotate(plain, first.id).expect(200)).body as { apiKey: Created }).apiKey;
    await speaking(first.hash).get('/whoami').expect(401);
    const { dtExpires } = await read(plain, second.id);
    expect(Math.abs(Number(dtExpires) - now() - 8 * DAY)).toBeLessThan(60);
    await rotate(plain, second.id).expect(200);
    const again = await rotate(plain, second.id).expect(400);
    expect(again.body).toMatchObject({ reason: 'API_KEY_ROTATED' });
  });

  it('is told and audited in its transaction, without a secret', async () => {
    const { plain } = await makeCustomer(service);
    const old = await create(plain, { name: 'Robot' });
    const { body, rows } = await audited(service, rotate(plain, old.id), 200);
    const { apiKey: made } = body as { apiKey: Created };
    expect(rows).toMatchObject([
      { action: 'update', table_name: 'api_keys', record_id: old.id, actor_user_id: plain.id },
      { action: 'insert', table_name: 'api_keys', record_id: made.id, after: { digest: '(changed)' } },
    ]);
    expect(JSON.stringify(rows)).not.toContain(made.hash);
    const told = await service.sql(
      `SELECT type, entity_id, entity_name, user_id FROM notifications WHERE organisation_id = $1 ORDER BY id DESC LIMIT 1`,
      [plain.organisationId],
    );
    expect(told).toEqual([{ type: 'rotated', entity_id: made.id, entity_name: 'Robot', user_id: plain.id }]);
    expect(service.logLines.join('')).not.toContain(made.hash);
  });

  it('leaves no ended old key in the list, and every other that ended', async () => {
    const { plain } = await makeCustomer(service);
    const rotated = await create(plain);
    const living = await create(plain);
    const ended = await create(plain);
    for (const { id } of [rotated, living]) await rotate(plain, id).expect(200);
    for (const { id } of [rotated, ended]) await letExpire(service, 'api_keys', { id });
    const listed = await plain.client.get(keysOf(plain)).expect(200);
    const { total, apiKeys } = listed.body as { total: number; apiKeys: { id: number }[] };
    expect(apiKeys.map(({ id }) => id)).not.toContain(rotated.id);
    expect(total).toBe(apiKeys.length);
    for (const call of [
      plain.client.get(`${keysOf(plain)}/${rotated.id}`),
      plain.client.put(`${keysOf(plain)}/${rotated.id}`, { name: 'x', whitelist: [] }),
      plain.client.delete(`${keysOf(plain)}/${rotated.id}`),
    ])
      await call.expect(404);
    await runJob(service, CleanUpHandler);
    await plain.client.get(`${keysOf(plain)}/${rotated.id}`).expect(404);
    for (const { id } of [living, ended]) await read(plain, id);
  });
});

describe('the end of an API key', () => {
  const announce = (): Promise<void> => runJob(service, AnnounceKeyEndsHandler);

  /** A key that was made `age` days ago and has `left` days. */
  async function makeEnding(user: MadeUser, age: number, left: number): Promise<number> {
    const name = `${age} and ${left}`;
    const { id } = await makeApiKey(service, user.id, { name, expiresIn: `${age + left} days` });
    await makeOlder(service, 'api_keys', { id }, `${age} days`);
    return id;
  }

  const toldOf = (user: MadeUser) =>
    service.sql<{ type: string; entity_id: number }>(
      `SELECT type, entity_id FROM notifications
       WHERE organisation_id = $1 AND entity_class = 'ApiKey' AND type LIKE 'ends%' ORDER BY id`,
      [user.organisationId],
    );

  it('is told 30 and 7 days before, each once, also by 4 workers at once', async () => {
    const { plain } = await makeCustomer(service);
    const id = await makeEnding(plain, 335, 31);
    const atOnce = () => Promise.all(Array.from({ length: 4 }, announce));
    await atOnce();
    expect(await toldOf(plain)).toEqual([]);
    const of30 = { type: 'ends_in_30_days', entity_id: id };
    await letExpireIn(service, 'api_keys', { id }, '30 days');
    await atOnce();
    expect(await toldOf(plain)).toEqual([of30]);
    await letExpireIn(service, 'api_keys', { id }, '8 days');
    await atOnce();
    expect(await toldOf(plain)).toEqual([of30]);
    await letExpireIn(service, 'api_keys', { id }, '7 days');
    for (let run = 0; run < 3; run++) await atOnce();
    expect(await toldOf(plain)).toEqual([of30, { type: 'ends_in_7_days', entity_id: id }]);
  });

  it('is told once where both are late, and not of keys that were made for less or are replaced', async () => {
    const { plain } = await makeCustomer(service);
    const late = await makeEnding(plain, 360, 5);
    const brief = await makeEnding(plain, 1, 20);
    await makeEnding(plain, 1, 6);
    await makeEnding(plain, 400, -1);
    await rotate(plain, await makeEnding(plain, 340, 25), { oldKeyHours: 168 }).expect(200);
    await announce();
    expect(await toldOf(plain)).toEqual([{ type: 'ends_in_7_days', entity_id: late }]);
    await service.sql`UPDATE api_keys
       SET created_at = now() - interval '14 days', expires_at = now() + interval '7 days'
       WHERE id = ${brief}`;
    await announce();
    expect((await toldOf(plain)).map(({ entity_id: id }) => id)).toEqual([late, brief]);
  });

  it('is told to no disabled user, until it is enabled again', async () => {
    const { plain } = await makeCustomer(service);
    const id = await makeEnding(plain, 360, 5);
    await service.sql`UPDATE users SET enabled = false WHERE id = ${plain.id}`;
    await announce();
    expect(await toldOf(plain)).toEqual([]);
    await service.sql`UPDATE users SET enabled = true WHERE id = ${plain.id}`;
    await announce();
    expect(await toldOf(plain)).toEqual([{ type: 'ends_in_7_days', entity_id: id }]);
  });

  it('is not taken for told where telling failed', async () => {
    const { plain } = await makeCustomer(service);
    const id = await makeEnding(plain, 360, 5);
    await service.sql(
      `ALTER TABLE notifications ADD CONSTRAINT no_end CHECK (type NOT LIKE 'ends%') NOT VALID`,
    );
    await expect(announce()).rejects.toThrow();
    expect(await service.sql`SELECT notified_days_left FROM api_keys WHERE id = ${id}`).toEqual([
      { notified_days_left: null },
    ]);
    await service.sql('ALTER TABLE notifications DROP CONSTRAINT no_end');
    await announce();
    expect(await toldOf(plain)).toEqual([{ type: 'ends_in_7_days', entity_id: id }]);
    expect(
      await auditRows(service, `table_name = 'api_keys' AND record_id = $1 AND action = 'update'`, [id]),
    ).toEqual([]);
  });

  it('is mailed to the user, behind what people wait for', async () => {
    const { plain } = await makeCustomer(service);
    const id = await makeEnding(plain, 360, 5);
    // What other tests have left.
    await runJobs(service);
    await announce();
    const jobs = await service.sql(
      `SELECT DISTINCT task_identifier AS task, priority FROM graphile_worker.jobs
       WHERE task_identifier IN ('notifications.expand', 'mail.release', 'mail.send')`,
    );
    expect(jobs).toEqual([{ task: 'notifications.expand', priority: 5 }]);
    await runJobs(service);
    const mails = mailServer.mailsTo(plain.username);
    expect(mails.map(({ headers }) => headers.get('subject'))).toEqual([
      'API-sleutel verloopt binnen 7 dagen',
    ]);
    const [row] = await service.sql<{ end: Date }>`SELECT expires_at AS end FROM api_keys WHERE id = ${id}`;
    const day = new Intl.DateTimeFormat('nl', { dateStyle: 'long', timeZone: 'Europe/Brussels' });
    expect(mails[0]?.text).toContain(
      `De API-sleutel “360 and 5” van uw account verloopt op ${day.format(row?.end)} om `,
    );
  });

  it('is looked for by every worker by itself', async () => {
    await using worker = await startTestService(NEIGHBOUR, {
      database: service.database,
      settings: { worker: true },
    });
    await until(async () => {
      const known = await timetableOf(worker);
      return known.join() === 'apikeys.announceEnds,grants.end,servicekeys.announceEnds,upkeep.clean';
    });
  });
});
