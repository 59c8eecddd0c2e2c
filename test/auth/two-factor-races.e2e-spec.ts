import { setImmediate } from 'node:timers/promises';
import { makeOrganisation, makeUser } from '../support/factories/factories';
import {
  Device,
  makeTwoFactorUser,
  MovableClock,
  showSecret,
  storedSecondFactor,
} from '../support/factories/two-factor-factories';
import { untilBlocked } from '../support/faults/locks';
import { atOnce } from '../support/service/at-once';
import { type TestService, useServices } from '../support/service/service';

const ROUNDS = 20;

/** Two nodes on one database, each with a pool smaller than the number of parallel requests. */
const nodes = useServices(['A', 'A'], { settings: { databasePool: 4 } });
let clock: MovableClock;
let organisationId: number;

beforeAll(async () => {
  clock = new MovableClock(...nodes);
  organisationId = await makeOrganisation(nodes[0]);
});

const nodeOf = (index: number): TestService => nodes[index % 2 === 0 ? 0 : 1];
const countsAnew = () => nodes[0].sql('DELETE FROM attempts');

it('POST /login: of 16 with one code one passes', async () => {
  const user = await makeTwoFactorUser(nodes[0], clock, { organisationId });
  for (let round = 0; round < ROUNDS; round++) {
    await countsAnew();
    clock.moveSteps(1);
    const fields = { '6digitCode': clock.code(user.secret) };
    const responses = await atOnce(16, (index) => new Device(nodeOf(index), user.username).login(fields));
    const passed = responses.filter(({ status }) => status === 200);
    expect(passed).toHaveLength(1);
    for (const { status } of responses) expect([200, 401, 429]).toContain(status);
  }
});

it('POST /login: 16 of a trusted device all pass, and five of the tokens that came back are good', async () => {
  const user = await makeTwoFactorUser(nodes[0], clock, { organisationId });
  const fields = { '6digitCode': clock.code(user.secret), trustThisDevice: true };
  await new Device(nodes[0], user.username).login(fields).expect(200);
  const responses = await atOnce(16, (index) => new Device(nodeOf(index), user.username).login());
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  const elsewhere = new Device(nodes[0], user.username, 'Other/2.0');
  let good = 0;
  for (const { body } of responses) {
    const { status } = await elsewhere.login({ '2faToken': (body as { hash2fa: string }).hash2fa });
    if (status === 200) good++;
  }
  expect(good).toBe(5);
});

it('POST /login: a token that is presented while others make it an older one is good', async () => {
  const user = await makeTwoFactorUser(nodes[0], clock, { organisationId });
  const fields = { '6digitCode': clock.code(user.secret), trustThisDevice: true };
  const { body } = await new Device(nodes[0], user.username).login(fields).expect(200);
  const token = { '2faToken': (body as { hash2fa: string }).hash2fa };
  // It has been used before, so that never used ones make room first.
  const elsewhere = (index: number) => new Device(nodeOf(index), user.username, 'Other/2.0').login(token);
  await elsewhere(0).expect(200);
  for (let round = 0; round < 3; round++) {
    const responses = await atOnce(16, (index) =>
      index < 8 ? new Device(nodeOf(index), user.username).login() : elsewhere(index),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  }
  const tokens = await nodes[0].sql<{ count: number }>`SELECT count(*)::integer FROM older_device_tokens
    WHERE device_id IN (SELECT id FROM trusted_devices WHERE user_id = ${user.id})`;
  expect(tokens).toEqual([{ count: 4 }]);
});

it('POST /login: of 16 wrong codes ten are checked, the rest is refused', async () => {
  const user = await makeTwoFactorUser(nodes[0], clock, { organisationId });
  for (let round = 0; round < 3; round++) {
    await countsAnew();
    const fields = { '6digitCode': clock.wrongCode(user.secret) };
    const responses = await atOnce(16, (index) => new Device(nodeOf(index), user.username).login(fields));
    const count = (wanted: number): number => responses.filter(({ status }) => status === wanted).length;
    expect([count(401), count(429)]).toEqual([10, 6]);
  }
});

it('POST /activate2fa: of 16 with one code one switches it on, and none counts as a guess', async () => {
  for (let round = 0; round < 5; round++) {
    const user = await makeUser(nodes[0], { organisationId });
    // Its network is known from here on, so that guesses at either step have one count.
    await new Device(nodes[0], user.username).login().expect(200);
    const secret = await showSecret(nodes[0], user.username);
    const fields = { '6digitCode': clock.code(secret) };
    const responses = await atOnce(16, (index) => new Device(nodeOf(index), user.username).activate(fields));
    const passed = responses.filter(({ status }) => status === 200);
    expect(passed).toHaveLength(1);
    const logins = await nodes[0].sql`SELECT 1 FROM logins WHERE user_id = ${user.id}`;
    expect(logins).toHaveLength(1);
    const wrong = { '6digitCode': clock.wrongCode(secret) };
    const guesses = await atOnce(10, (index) => new Device(nodeOf(index), user.username).login(wrong));
    expect(guesses.map(({ status }) => status)).toEqual(guesses.map(() => 401));
  }
});

it('POST /cancel2faActivation against POST /activate2fa: one of them counts', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await makeUser(nodes[0], { organisationId });
    const fields = { '6digitCode': clock.code(await showSecret(nodes[0], user.username)) };
    const [cancel, activation] = await Promise.all([
      new Device(nodes[0], user.username).cancel(),
      new Device(nodes[1], user.username).activate(fields),
    ]);
    const { state } = await storedSecondFactor(nodes[0], user.id);
    expect([cancel.status, activation.status, state]).toEqual(
      activation.status === 200 ? [400, 200, 'enabled'] : [200, 400, 'disabled'],
    );
    expect((activation.status === 200 ? cancel : activation).body).toMatchObject({
      message: activation.status === 200 ? '2FA is already enabled' : '2FA is not requested',
    });
  }
});

it('POST /enable2faandget2fasecret against POST /activate2fa: what is on is never replaced', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await makeUser(nodes[0], { organisationId });
    const first = await showSecret(nodes[0], user.username);
    const [shown, activation] = await Promise.all([
      new Device(nodes[0], user.username).showSecret(),
      new Device(nodes[1], user.username).activate({ '6digitCode': clock.code(first) }),
    ]);
    const { state } = await storedSecondFactor(nodes[0], user.id);
    expect([shown.status, activation.status, state]).toEqual(
      activation.status === 200 ? [400, 200, 'enabled'] : [200, 401, 'requested'],
    );
  }
});

describe('POST /login: a login on its way', () => {
  it.each([
    ['another second factor', `second_factor = 'requested'`],
    ['another password', `password_hash = 'changed'`],
    ['no access any more', `enabled = false`],
  ])('of a user who gets %s is refused', async (_, change) => {
    const user = await makeUser(nodes[0], { organisationId });
    await nodes[0].sql('BEGIN');
    await nodes[0].sql(`UPDATE users SET ${change} WHERE id = $1`, [user.id]);
    let answered = false;
    const login = new Device(nodes[0], user.username).login().then((response) => {
      answered = true;
      return response;
    });
    while (!answered && !(await isWaitingForLock())) await setImmediate();
    await nodes[0].sql('COMMIT');
    expect((await login).status).toBe(401);
  });
});

it('POST /resetting/{token}: a reset that beats a login ends the trust that the login asked for', async () => {
  const user = await makeTwoFactorUser(nodes[0], clock, { organisationId });
  const fields = { '6digitCode': clock.code(user.secret), trustThisDevice: true };
  await nodes[0].sql('BEGIN');
  await nodes[0].sql`UPDATE users SET password_hash = 'changed' WHERE id = ${user.id}`;
  const login = new Device(nodes[0], user.username).login(fields);
  await untilBlocked(nodes[1], login);
  await nodes[0].sql('COMMIT');
  expect((await login).status).toBe(401);
  expect(await nodes[0].sql`SELECT FROM trusted_devices WHERE user_id = ${user.id}`).toEqual([]);
});

it('POST /login: of three devices that are trusted beside 19 others 20 stay, the newest', async () => {
  const user = await makeTwoFactorUser(nodes[0], clock, { organisationId });
  await nodes[0]
    .sql`INSERT INTO trusted_devices (user_id, digest, user_agent, address, created_at, expires_at)
     SELECT ${user.id}, sha256(('device ' || n)::bytea), 'Old/' || n, '192.0.2.1', now() - make_interval(days => n),
       now() + interval '1 day' FROM generate_series(1, 19) n`;
  const trusted: number[] = [];
  for (let login = 0; login < 3; login++) {
    clock.moveSteps(1);
    const fields = { '6digitCode': clock.code(user.secret), trustThisDevice: true };
    const { status } = await new Device(nodes[0], user.username, `New/${login}`).login(fields);
    trusted.push(status);
  }
  expect(trusted).toEqual([200, 200, 200]);
  const agents = await nodes[0].sql<{ agent: string }>(
    'SELECT user_agent AS agent FROM trusted_devices WHERE user_id = $1 ORDER BY created_at',
    [user.id],
  );
  const old = Array.from({ length: 17 }, (_, index) => `Old/${17 - index}`);
  expect(agents.map(({ agent }) => agent)).toEqual([...old, 'New/0', 'New/1', 'New/2']);
});

describe('POST /login: a device behind a proxy that is not listed', () => {
  it('is recognised by its token alone, and the log says so once', async () => {
    const user = await makeTwoFactorUser(nodes[0], clock, { organisationId });
    const fields = { '6digitCode': clock.code(user.secret), trustThisDevice: true };
    const device = new Device(nodes[0], user.username);
    const trusted = await device.login(fields).expect(200);
    const forwarded = (more: object = {}) => device.login(more).set('X-Forwarded-For', '203.0.113.66');
    await forwarded().expect(401);
    await forwarded({ '2faToken': (trusted.body as { hash2fa: string }).hash2fa }).expect(200);
    await device.login().expect(200);
    expect(nodes[0].logLines.filter((line) => line.includes('TRUSTED_PROXIES'))).toHaveLength(1);
  });
});

const isWaitingForLock = async (): Promise<boolean> => {
  const rows = await nodes[1].sql(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
};
