import { setTimeout as pause } from 'node:timers/promises';
import request from 'supertest';
import { digestOf } from '@app/security/secrets/digest';
import { makeCustomer, makeOrganisation, makeUser, PASSWORD } from '../../support/factories/factories';
import { makeInvitation, registrationOf } from '../../support/factories/invitations-factories';
import {
  type AttackedService,
  bystanderDuring,
  startAttackedService,
  UNDISTURBED_P95,
} from '../../support/faults/bystander';
import { atOnce } from '../../support/service/at-once';
import { anonymous } from '../../support/service/client';
import { makeOlder } from '../../support/service/time';

/**
 * Milliseconds in which a login passes while others are attacked; on a machine that is busy by itself, how
 * often as long as without.
 */
const PATIENCE = 2000;
const TIMES_QUIET = 5;
const AT_ONCE = 200;
/** Milliseconds between two guesses of one stranger. */
const PACE = 500;
/** Milliseconds that somebody goes on guessing at a name that is locked. */
const LASTING = 3000;

let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService('A', { TRUSTED_PROXIES: '127.0.0.1' });
  // Connections and threads are there, as in a service that has run for a while.
  const { username } = await makeMember();
  for (let round = 0; round < 3; round++)
    await Promise.all(Array.from({ length: 30 }, () => login(username, PASSWORD)));
});
afterAll(() => service.stop());

const STRANGERS = '203.0.113.5';

const login = (username: string, password: string, address = STRANGERS, fields: object = {}) =>
  request(service.url)
    .post('/v1/login')
    .set('X-Forwarded-For', address)
    .send({ username, password, ...fields });

const makeMember = async () => makeUser(service, { organisationId: await makeOrganisation(service) });

const countsOf = (responses: readonly { status: number }[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** Logs five users of other organisations in while work is under way, from the network that it comes from. */
async function othersLogIn(work: () => Promise<unknown>): Promise<{ status: number; isInTime: boolean }[]> {
  const others = await Promise.all(Array.from({ length: 5 }, makeMember));
  const logIn = (address: string) =>
    Promise.all(
      others.map(async ({ username }) => {
        const start = performance.now();
        const { status } = await login(username, PASSWORD, address);
        return { status, ms: performance.now() - start };
      }),
    );
  // Renews the cheap hashes of made users, from elsewhere: the network of the attack stays unknown.
  await logIn('198.51.100.1');
  const quiet = Math.max(...(await logIn('198.51.100.1')).map(({ ms }) => ms));
  const underWay = work();
  const results = await logIn(STRANGERS);
  await underWay;
  const patience = Math.max(PATIENCE, TIMES_QUIET * quiet);
  return results.map(({ status, ms }) => ({ status, isInTime: ms < patience }));
}
const ALL_IN_TIME = Array.from({ length: 5 }, () => ({ status: 200, isInTime: true }));

const expectUndisturbed = ({ statuses, p95, peakMb }: Awaited<ReturnType<typeof bystanderDuring>>) => {
  expect(Object.keys(statuses)).toEqual(['200']);
  expect(p95).toBeLessThan(UNDISTURBED_P95);
  expect(peakMb).toBeLessThan(450);
};

describe('POST /login: 200 wrong passwords at once', () => {
  it.each([
    ['a user', 401],
    ['nobody', 404],
  ])('for the name of %s: ten are %i, the others 429, and no login of others waits', async (who, wrong) => {
    const username = who === 'nobody' ? 'nobody@example.com' : (await makeMember()).username;
    let responses: { status: number }[] = [];
    let others: unknown;
    const notice = await bystanderDuring(service, async () => {
      others = await othersLogIn(async () => {
        responses = await atOnce(AT_ONCE, () => login(username, 'wrong'));
      });
      const end = performance.now() + LASTING;
      while (performance.now() < end) {
        const more = await Promise.all(Array.from({ length: 10 }, () => login(username, 'wrong')));
        expect(countsOf(more)).toEqual({ 429: 10 });
      }
    });
    expect(countsOf(responses)).toEqual({ [wrong]: 10, 429: AT_ONCE - 10 });
    expect(others).toEqual(ALL_IN_TIME);
    expectUndisturbed(notice);
  });

  it('from 200 networks: at most 100 are 401, the others 429, and no login of others waits', async () => {
    const { username } = await makeMember();
    let responses: { status: number }[] = [];
    const others = await othersLogIn(async () => {
      responses = await atOnce(AT_ONCE, (index) => login(username, 'wrong', `10.1.${index}.1`));
    });
    const { 401: checked = 0, 429: refused = 0 } = countsOf(responses);
    expect(checked).toBeGreaterThan(0);
    expect(checked).toBeLessThanOrEqual(100);
    expect(checked + refused).toBe(AT_ONCE);
    expect(others).toEqual(ALL_IN_TIME);
  });
});

it('POST /login: 20 right passwords at once are 200', async () => {
  const { username } = await makeMember();
  const responses = await Promise.all(Array.from({ length: 20 }, () => login(username, PASSWORD)));
  expect(countsOf(responses)).toEqual({ 200: 20 });
});

it('POST /login and /softlogin: wrong guesses at a name that holds a network do not count for another name', async () => {
  const { username } = await makeMember();
  for (let guess = 0; guess < 10; guess++) await login(`198.51.100.0/24:${username}`, 'wrong').expect(404);
  await login(username, PASSWORD, '198.51.100.7').expect(200);
  const tryCode = (name: string, address: string) =>
    anonymous(service)
      .post('/softlogin', { username: name, confirmationCode: '12345678' })
      .set('X-Forwarded-For', address);
  for (let guess = 0; guess < 10; guess++)
    await tryCode(`198.51.100.0/24:${username}`, STRANGERS).expect(404);
  await tryCode(username, '198.51.100.7').expect(401);
});

describe('POST /login while strangers have used up the guesses at a name', () => {
  let username: string;
  let userId: number;
  beforeAll(async () => {
    ({ username, id: userId } = await makeMember());
    await login(username, PASSWORD, '192.0.2.9').expect(200);
    await service.sql`INSERT INTO trusted_devices (user_id, digest, user_agent, address, expires_at)
       VALUES (${userId}, ${digestOf('token')}, 'Phone/1.0', '198.51.100.1', now() + interval '1 day')`;
    await service.sql`INSERT INTO older_device_tokens (device_id, digest, expires_at)
       SELECT id, ${digestOf('older')}, expires_at FROM trusted_devices WHERE user_id = ${userId}`;
    for (let network = 0; network < 100; network++)
      await login(username, 'wrong', `10.2.${network}.1`).expect(401);
    await login(username, PASSWORD, '10.3.0.1').expect(429);
  });

  it('is 200 from a network with a right login of late, which has ten guesses of its own', async () => {
    await login(username, PASSWORD, '192.0.2.77').expect(200);
    for (let guess = 0; guess < 10; guess++) await login(username, 'wrong', '192.0.2.1').expect(401);
    const { headers } = await login(username, PASSWORD, '192.0.2.9').expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(800);
  });

  it('is 200 with the 2faToken of a trusted device, which has ten guesses for all its tokens', async () => {
    const device = { '2faToken': 'token' };
    await login(username, 'wrong', '10.2.1.1', { '2faToken': 'made up' }).expect(429);
    for (let guess = 0; guess < 9; guess++) await login(username, 'wrong', '10.4.0.1', device).expect(401);
    await service.sql`DELETE FROM known_networks WHERE user_id = ${userId}`;
    await login(username, PASSWORD, '10.2.1.1', device).expect(200);
    const older = { '2faToken': 'older' };
    for (let guess = 0; guess < 10; guess++)
      await login(username, 'wrong', '10.5.0.1', guess % 2 === 0 ? device : older).expect(401);
    for (const one of [device, older]) await login(username, PASSWORD, '10.6.0.1', one).expect(429);
  });

  it('is 429 from a network once 30 days have passed, and known_networks keeps 20', async () => {
    const other = await makeMember();
    await login(other.username, PASSWORD, '192.0.2.9').expect(200);
    for (let network = 0; network < 20; network++)
      await login(other.username, PASSWORD, `10.7.${network}.1`).expect(200);
    const known = () =>
      service.sql`SELECT FROM known_networks WHERE user_id = ${other.id} AND network = '192.0.2.0/24'`;
    expect(await known()).toEqual([]);
    const [count] =
      await service.sql`SELECT count(*)::integer FROM known_networks WHERE user_id = ${other.id}`;
    expect(count).toEqual({ count: 20 });
    await makeOlder(service, 'known_networks', { user_id: other.id }, '31 days', ['last_login_at']);
    for (let network = 0; network < 100; network++)
      await login(other.username, 'wrong', `10.8.${network}.1`).expect(401);
    await login(other.username, PASSWORD, '10.7.19.1').expect(429);
  });
});

describe('POST /login beside passwords to be hashed', () => {
  it('of 200 POST /registerInvitation/{token} with one invitation is in time', async () => {
    const { custadmin } = await makeCustomer(service);
    const invitation = await makeInvitation(service, {
      organisationId: custadmin.organisationId,
      inviterId: custadmin.id,
    });
    const others = await othersLogIn(() =>
      atOnce(AT_ONCE, () =>
        anonymous(service).post(
          `/registerInvitation/${invitation.token}`,
          registrationOf(invitation, PASSWORD),
        ),
      ),
    );
    expect(others).toEqual(ALL_IN_TIME);
  });

  it('of strangers of three networks is 200 for a user from a known network', async () => {
    const { username } = await makeMember();
    await login(username, PASSWORD, '192.0.2.9').expect(200);
    const state = { over: false };
    const guesses: Promise<void>[] = Array.from({ length: 3 * 28 }, async (_, client) => {
      for (let guess = 0; !state.over; guess++) {
        const name = `nobody${client}.${guess}@example.com`;
        const { status } = await login(name, 'wrong', `10.${20 + (client % 3)}.0.${1 + client}`);
        expect([404, 503]).toContain(status);
        await pause(PACE);
      }
    });
    const statuses: number[] = [];
    const notice = await bystanderDuring(service, async () => {
      for (let again = 0; again < 4; again++) {
        statuses.push((await login(username, PASSWORD, '192.0.2.9')).status);
      }
      state.over = true;
      await Promise.all(guesses);
    });
    expect(statuses).toEqual([200, 200, 200, 200]);
    expectUndisturbed(notice);
  });
});
