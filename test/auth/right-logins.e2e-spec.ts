import type { Response } from 'supertest';
import { Throttler } from '@app/security/throttling/throttler';
import { makeCustomer, makeUser, PASSWORD } from '../support/factories/factories';
import { makePasskey } from '../support/factories/passkey-factories';
import { makeTwoFactorUser, MovableClock } from '../support/factories/two-factor-factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { atOnce } from '../support/service/at-once';
import { anonymous } from '../support/service/client';
import { type TestService, useService } from '../support/service/service';

const OK = 200;
const WRONG = 401;
const REFUSED = 429;
/** Calls without a credential in a minute from one address. */
const CALLS = 60;

const statusOf = ({ status }: Response): number => status;
const times = (count: number, status: number): number[] => Array<number>(count).fill(status);

async function inTurn(count: number, call: (index: number) => PromiseLike<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) statuses.push(statusOf(await call(index)));
  return statuses;
}

const together = async (count: number, call: (index: number) => PromiseLike<Response>): Promise<number[]> =>
  (await atOnce(count, call)).map(statusOf);

/** Logins of one user, and guesses at names that nobody has, from one address. */
const callsFrom = (service: TestService, username: string, address: string) => ({
  right: () =>
    anonymous(service).post('/login', { username, password: PASSWORD }).set('X-Forwarded-For', address),
  wrong: (index = 0) =>
    anonymous(service)
      .post('/login', { username: `user${index}.${username}`, password: 'wrong' })
      .set('X-Forwarded-For', address),
});

describe.each(SHARED_VARIANTS)('POST /login by a panel with one server, in Variant %s', (variant) => {
  // As the service is by default: no proxy is trusted, so all calls come from one address.
  const service = useService(variant, { settings: { rateLimit: true } });

  it('has 200 right logins in a minute, and then the guesses of every address', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    const users = [plain];
    for (let made = 0; made < 3; made++) users.push(await makeUser(service, { organisationId }));
    const logIn = (index: number) =>
      anonymous(service).post('/login', { username: users[index % 4]?.username, password: PASSWORD });
    const statuses: number[] = [];
    for (let made = 0; made < 200; made += 8)
      statuses.push(...(await atOnce(8, (index) => logIn(made + index))).map(statusOf));
    expect(statuses).toEqual(times(200, OK));
    const { wrong } = callsFrom(service, plain.username, '');
    expect(await inTurn(CALLS, wrong)).toEqual(times(CALLS, 404));
    const refused = await logIn(0).expect(REFUSED);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.body).toMatchObject({ code: REFUSED, reason: 'TOO_MANY_ATTEMPTS' });
  });
});

describe.each(SHARED_VARIANTS)('POST /login: the calls of an address in Variant %s', (variant) => {
  const service = useService(variant, {
    settings: { rateLimit: true, trustedProxies: ['127.0.0.1'], hideUnknownUsernames: true },
  });
  let addresses = 0;
  const made = async () => {
    const { plain } = await makeCustomer(service);
    addresses += 1;
    const address = `192.0.2.${addresses}`;
    return { plain, address, ...callsFrom(service, plain.username, address) };
  };

  it('are not made fewer by right logins between guesses', async () => {
    const { right, wrong } = await made();
    expect(await inTurn(30, wrong)).toEqual(times(30, WRONG));
    expect(await inTurn(30, right)).toEqual(times(30, OK));
    expect(await inTurn(30, wrong)).toEqual(times(30, WRONG));
    expect(await inTurn(2, wrong)).toEqual(times(2, REFUSED));
    expect(await inTurn(1, right)).toEqual([REFUSED]);
  });

  it('are counted before they are checked: 16 at once each use one up, and right ones give theirs back', async () => {
    const { right, wrong } = await made();
    expect(await inTurn(CALLS - 32, wrong)).toEqual(times(CALLS - 32, WRONG));
    const mixed = await Promise.all([together(16, right), together(16, (index) => wrong(100 + index))]);
    expect(mixed).toEqual([times(16, OK), times(16, WRONG)]);
    expect(await together(16, right)).toEqual(times(16, OK));
    const last = await atOnce(32, (index) => wrong(200 + index));
    expect(last.map(statusOf).sort()).toEqual([...times(16, WRONG), ...times(16, REFUSED)]);
  });

  it('serve right logins again soon after some of them at once found no place', async () => {
    const { right, wrong } = await made();
    await inTurn(CALLS - 1, wrong);
    const some = await together(16, right);
    expect(some).toContain(OK);
    expect(some.filter((status) => status !== OK && status !== REFUSED)).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await inTurn(5, right)).toEqual(times(5, OK));
    expect(await inTurn(2, wrong)).toEqual([WRONG, REFUSED]);
  });

  it('are not used up by asking for the login of a credential', async () => {
    const { plain, address, wrong } = await made();
    const ask = () => plain.client.post('/login').set('X-Forwarded-For', address);
    expect(await inTurn(CALLS + 1, ask)).toEqual(times(CALLS + 1, OK));
    expect(await inTurn(CALLS, wrong)).toEqual(times(CALLS, WRONG));
    expect(await inTurn(1, ask)).toEqual([OK]);
  });

  it('have 60 right logins of one user in a minute from everywhere; other users go on', async () => {
    const { plain, right, wrong } = await made();
    const other = await made();
    expect(await inTurn(60, right)).toEqual(times(60, OK));
    const refused = await right().expect(REFUSED);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(statusOf(await callsFrom(service, plain.username, other.address).right())).toBe(REFUSED);
    expect(statusOf(await callsFrom(service, other.plain.username, other.address).right())).toBe(OK);
    await plain.client.get('/whoami').expect(200);
    expect(await inTurn(1, wrong)).toEqual([WRONG]);
  });

  it('have 1,000 right logins of one address in a minute', async () => {
    const { address, right } = await made();
    const other = await made();
    const throttler = service.app.get(Throttler);
    const limit = { bucket: ['right login', address], most: 1000 } as const;
    for (let counted = 0; counted < 999; counted++) await throttler.reserve([limit], 60);
    expect(await inTurn(2, right)).toEqual([OK, REFUSED]);
    expect(await inTurn(1, other.right)).toEqual([OK]);
  });
});

describe('POST /login and /login/passkey: the calls of an address in Variant A', () => {
  const service = useService('A', { settings: { rateLimit: true, trustedProxies: ['127.0.0.1'] } });

  it('are not used up by the first step of logins with a code, and each wrong code uses one up', async () => {
    const clock = new MovableClock(service);
    const { organisationId } = await makeCustomer(service);
    const user = await makeTwoFactorUser(service, clock, { organisationId });
    const address = '203.0.113.1';
    const logIn = (fields: object = {}) =>
      anonymous(service)
        .post('/login', { username: user.username, password: PASSWORD, ...fields })
        .set('X-Forwarded-For', address);
    expect(await inTurn(CALLS + 1, () => logIn())).toEqual(times(CALLS + 1, WRONG));
    await logIn({ '6digitCode': clock.code(user.secret) }).expect(OK);
    expect(await inTurn(3, () => logIn({ '6digitCode': clock.wrongCode(user.secret) }))).toEqual(
      times(3, WRONG),
    );
    const { wrong } = callsFrom(service, user.username, address);
    expect(await inTurn(CALLS - 3, wrong)).toEqual(times(CALLS - 3, 404));
    expect(await inTurn(1, wrong)).toEqual([REFUSED]);
  });

  it('are not used up by a login with a passkey, but for the challenge that it asks for', async () => {
    const { plain } = await makeCustomer(service);
    const page = await makePasskey(service, plain);
    await service.sql`DELETE FROM attempts`;
    for (let made = 0; made < 30; made++) expect((await page.logIn()).status).toBe(OK);
    // From the address of the connection, as the logins before.
    const { wrong } = callsFrom(service, plain.username, '');
    expect(await inTurn(30, wrong)).toEqual(times(30, 404));
    expect(await inTurn(1, wrong)).toEqual([REFUSED]);
  });
});

describe('POST /login with RATE_LIMIT=off', () => {
  const service = useService('A', { settings: { rateLimit: false } });

  it('a user has any number of right logins', async () => {
    const { plain } = await makeCustomer(service);
    const { right } = callsFrom(service, plain.username, '');
    expect(await inTurn(CALLS + 1, right)).toEqual(times(CALLS + 1, OK));
  });
});
