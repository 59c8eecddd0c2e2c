import { newTotpSecret, secretContext } from '@app/people/users/totp';
import { digestOf } from '@app/security/secrets/digest';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { makeCustomer, nextNumber, PASSWORD } from '../support/factories/factories';
import { MovableClock } from '../support/factories/two-factor-factories';
import { transactionBeside, untilBlocked, untilItWaits } from '../support/faults/locks';
import { atOnce } from '../support/service/at-once';
import { ApiClient, asAdmin } from '../support/service/client';
import { useServices } from '../support/service/service';

const PARALLEL = 16;
const ROUNDS = 10;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly reason: string | undefined;
  readonly retryAfter: string | undefined;
}

/** Two nodes on one database, each with a pool smaller than the number of parallel requests. */
const nodes = useServices(['A', 'A'], { settings: { databasePool: 4, stepUp: true } });
let clock: MovableClock;
let admin: ApiClient;
beforeAll(async () => {
  clock = new MovableClock(...nodes);
  admin = await asAdmin(nodes[0]);
});

const sixteen = (caller: ApiClient, path: string, key: string, bodyOf: (index: number) => object) =>
  atOnce(PARALLEL, async (index): Promise<Answer> => {
    const client = new ApiClient(nodes[index % nodes.length]?.url ?? '', caller.hash);
    const { status, text, headers, body } = await client
      .post(path, bodyOf(index))
      .set('Idempotency-Key', key);
    const { reason } = body as { reason?: string };
    return { status, text, reason, retryAfter: headers['retry-after'] };
  });

/** Each is the one response, or says that the first is under way; a later request gets it too. */
async function expectOneResponse(answers: readonly Answer[], status: number, again: () => Promise<Answer[]>) {
  const done = answers.filter((answer) => answer.status === status);
  expect(new Set(done.map(({ text }) => text)).size).toBe(1);
  for (const { status: refused, reason, retryAfter } of answers.filter((answer) => !done.includes(answer))) {
    expect({ refused, reason, retryAfter }).toEqual({
      refused: 409,
      reason: 'IDEMPOTENCY_KEY_IN_USE',
      retryAfter: '1',
    });
  }
  const later = await again();
  expect(new Set(later.map(({ text }) => text))).toEqual(new Set(done.map(({ text }) => text)));
}

it('Idempotency-Key: 16 equal requests make one record, and each gets its response or is told to wait', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const name = `Raced ${nextNumber()}`;
    const send = () =>
      sixteen(admin, '/organisations', name.replace(' ', '-'), () => ({ name, taxNumber: 'T' }));
    await expectOneResponse(await send(), 201, send);
    expect(await nodes[0].sql`SELECT id FROM organisations WHERE name = ${name}`).toHaveLength(1);
  }
});

it('Idempotency-Key: 16 requests with one key and different bodies make one record', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const name = `Mixed ${nextNumber()}`;
    const answers = await sixteen(admin, '/organisations', name.replace(' ', '-'), (index) => ({
      name,
      taxNumber: `T${index}`,
    }));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status } of answers) expect([201, 409, 422]).toContain(status);
    expect(await nodes[0].sql`SELECT id FROM organisations WHERE name = ${name}`).toHaveLength(1);
  }
});

it('16 requests that prove themselves by one code, which is good once, make one key', async () => {
  const [service] = nodes;
  const { plain } = await makeCustomer(service);
  const secret = newTotpSecret();
  const encrypted = service.app.get(SecretsKeyring).encrypt(secret, secretContext(plain.id));
  await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = ${encrypted} WHERE id = ${plain.id}`;
  const path = `/organisations/${plain.organisationId}/users/${plain.id}/apikeys`;
  for (let round = 0; round < ROUNDS; round++) {
    await service.sql`DELETE FROM attempts`;
    clock.moveSteps(1);
    const name = `raced-${nextNumber()}`;
    const body = { name, whitelist: [], password: PASSWORD, '6digitCode': clock.code(secret) };
    const send = () => sixteen(plain.client, path, name, () => body);
    const answers = (await send()).filter(({ status }) => status !== 429);
    await expectOneResponse(answers, 200, async () => (await send()).filter(({ status }) => status !== 429));
    expect(await service.sql`SELECT id FROM api_keys WHERE name = ${name}`).toHaveLength(1);
  }
});

it('Idempotency-Key: a request that is refused while the first is under way is told to wait', async () => {
  const [service] = nodes;
  const { plain } = await makeCustomer(service);
  const path = `/organisations/${plain.organisationId}/users/${plain.id}/changepassword`;
  const change = { oldPassword: PASSWORD, password: 'Nieuw-Wachtw00rd' };
  const send = () => plain.client.post(path, change).set('Idempotency-Key', 'slow');
  await using holder = await transactionBeside(service);
  await holder.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [plain.id]);
  const first = send().then(({ status, text }) => ({ status, text }));
  await untilBlocked(service, first);
  // From now on no password of this login is looked at.
  for (let guess = 0; guess < 10; guess++) {
    await plain.client.post(path, { ...change, oldPassword: 'wrong' }).expect(400);
  }
  await plain.client.post(path, change).expect(429);
  await send().expect(409, /IDEMPOTENCY_KEY_IN_USE/);
  await holder.query('ROLLBACK');
  const { status, text } = await first;
  expect(status).toBe(200);
  expect((await send().expect(200)).text).toBe(text);
});

it('a request that looked for a response before the first one stored it does nothing, and gets that response', async () => {
  const [service] = nodes;
  const { organisationId, custadmin } = await makeCustomer(service);
  const path = `/organisations/${organisationId}/notifications`;
  const send = () =>
    custadmin.client
      .post(path, { type: 'maintenance', group: 'System' })
      .set('Idempotency-Key', 'overtaken')
      .expect(201)
      .then(({ text, headers }) => ({ text, replayed: headers['idempotency-replayed'] }));
  const first = await send();
  const notifications = () =>
    service.sql`SELECT id FROM notifications WHERE organisation_id = ${organisationId} ORDER BY id`;
  const made = await notifications();
  // Stores the response again while the second request waits, after its look and before its transaction.
  await service.sql`CREATE TABLE stored AS SELECT * FROM stored_responses WHERE user_id = ${custadmin.id}`;
  await service.sql`DELETE FROM stored_responses WHERE user_id = ${custadmin.id}`;
  await using holder = await transactionBeside(service);
  try {
    await holder.query('LOCK TABLE attempts IN EXCLUSIVE MODE');
    const second = send();
    await untilItWaits(holder, second);
    await service.sql`INSERT INTO stored_responses SELECT * FROM stored`;
    await holder.query('ROLLBACK');
    expect(await second).toEqual({ text: first.text, replayed: 'true' });
    expect(await notifications()).toEqual(made);
  } finally {
    await service.sql`DROP TABLE stored`;
  }
});

it('a change after a right code waits for the disk as every change does', async () => {
  const [service] = nodes;
  const { plain } = await makeCustomer(service);
  const secret = newTotpSecret();
  const encrypted = service.app.get(SecretsKeyring).encrypt(secret, secretContext(plain.id));
  await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = ${encrypted} WHERE id = ${plain.id}`;
  await service.sql(`
    CREATE FUNCTION tell_setting() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      NEW.name := (SELECT source FROM pg_settings WHERE name = 'synchronous_commit');
      RETURN NEW;
    END $$`);
  await service.sql(
    `CREATE TRIGGER tells BEFORE INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION tell_setting()`,
  );
  try {
    clock.moveSteps(1);
    const body = { name: 'x', whitelist: [], password: PASSWORD, '6digitCode': clock.code(secret) };
    await plain.client
      .post(`/organisations/${plain.organisationId}/users/${plain.id}/apikeys`, body)
      .set('Idempotency-Key', 'durable')
      .expect(200);
    const [key] = await service.sql<{ name: string }>`SELECT name FROM api_keys WHERE user_id = ${plain.id}`;
    // `session`: set for the transaction of the change.
    expect(key?.name).not.toBe('session');
  } finally {
    await service.sql(`DROP FUNCTION tell_setting CASCADE`);
  }
});

it('a key takes no lock that holds up the feed of events', async () => {
  const [service] = nodes;
  const { plain } = await makeCustomer(service);
  const path = `/organisations/${plain.organisationId}/users/${plain.id}/changepassword`;
  // Its digest is as large as the places of events.
  const isHigh = (key: string): boolean =>
    (digestOf(JSON.stringify([`user:${plain.id}`, 'POST', `/v1${path}`, key]))[0] ?? 0) >> 6 === 1;
  const key = Array.from({ length: 100 }, (_, index) => `key-${index}`).find(isHigh) ?? '';
  await using holder = await transactionBeside(service);
  await holder.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [plain.id]);
  const sent = plain.client
    .post(path, { oldPassword: PASSWORD, password: 'Nieuw-Wachtw00rd' })
    .set('Idempotency-Key', key)
    .then(({ status }) => status);
  await untilBlocked(service, sent);
  const locks = await service.sql<{ isBelowZero: boolean }>(
    `SELECT classid::bigint >= 1::bigint << 31 AS "isBelowZero" FROM pg_locks
     WHERE locktype = 'advisory' AND objsubid = 1 AND mode = 'ExclusiveLock' AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  expect(locks).toEqual([{ isBelowZero: true }]);
  await holder.query('ROLLBACK');
  expect(await sent).toBe(200);
});
