import request from 'supertest';
import { HashingThreads } from '@app/security/passwords/hashing-threads';
import { type Bucket, Throttler } from '@app/security/throttling/throttler';
import { VARIANTS } from '../../../qa/variants';
import {
  type MadeUser,
  makeCustomer,
  makeOrganisation,
  makeUser,
  PASSWORD,
} from '../../support/factories/factories';
import { Device, makeTwoFactorUser, MovableClock } from '../../support/factories/two-factor-factories';
import { pathOf } from '../../support/factories/users-factories';
import { useMailServer } from '../../support/faults/smtp';
import { atOnce } from '../../support/service/at-once';
import { anonymous } from '../../support/service/client';
import { runJobs } from '../../support/service/jobs';
import { describeService, startTestService, useService } from '../../support/service/service';
import { letExpire } from '../../support/service/time';

/**
 * rule login 33: wrong passwords for one user name within 15 minutes, from one
 * network and from everywhere.
 */
const FROM_ONE_NETWORK = 10;
const FROM_EVERYWHERE = 100;
const OF_ITS_OWN = 10;
const TRIES_OF_A_CODE = 5;

describe.each(VARIANTS)('POST /login: guesses of a password in Variant %s', (variant) => {
  const service = useService(variant, { settings: { trustedProxies: ['127.0.0.1'] } });

  const login = (username: string, password: string, address: string) =>
    request(service.url).post('/v1/login').set('X-Forwarded-For', address).send({ username, password });

  const countOf = (responses: readonly { status: number }[], status: number): number =>
    responses.filter((response) => response.status === status).length;

  it('are evaluated ten times from a network, the right one included', async () => {
    const { plain } = await makeCustomer(service);
    for (let guess = 0; guess < FROM_ONE_NETWORK; guess++) {
      // Every address of the /24 counts as one network.
      await login(plain.username, 'wrong', `192.0.2.${guess + 1}`).expect(401);
    }
    const limited = await login(plain.username, PASSWORD, '192.0.2.77').expect(429);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(800);
    expect(Number(limited.headers['retry-after'])).toBeLessThanOrEqual(900);
    expect(limited.body).toMatchObject({ code: 429, reason: 'TOO_MANY_ATTEMPTS' });
    await login(plain.username.toUpperCase(), PASSWORD, '192.0.2.77').expect(429);
    await login(plain.username, PASSWORD, '192.0.3.1').expect(200);
    await login(plain.username, PASSWORD, '2001:db8::1').expect(200);
  });

  it('start anew when the time is over, and after a right one', async () => {
    const { plain } = await makeCustomer(service);
    const nine = async () => {
      for (let guess = 1; guess < FROM_ONE_NETWORK; guess++)
        await login(plain.username, 'x', '192.0.2.1').expect(401);
    };
    await nine();
    await login(plain.username, PASSWORD, '192.0.2.1').expect(200);
    await nine();
    await login(plain.username, 'x', '192.0.2.1').expect(401);
    await login(plain.username, PASSWORD, '192.0.2.1').expect(429);
    await letExpire(service, 'attempts', {}, 'resets_at');
    await login(plain.username, PASSWORD, '192.0.2.1').expect(200);
  });

  it('past the limit cost no hash', async () => {
    const { plain } = await makeCustomer(service);
    for (let guess = 0; guess < FROM_ONE_NETWORK; guess++) await login(plain.username, 'x', '192.0.2.1');
    const hashing = jest.spyOn(HashingThreads.prototype, 'run');
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => login(plain.username, PASSWORD, '192.0.2.1')),
    );
    expect(countOf(responses, 429)).toBe(20);
    expect(hashing).not.toHaveBeenCalled();
    hashing.mockRestore();
  });

  it('count in POST …/changepassword too', async () => {
    const { plain } = await makeCustomer(service);
    const change = (oldPassword: string) =>
      plain.client.post(`${pathOf(plain)}/changepassword`, { oldPassword, password: 'Newpass-12' });
    for (let guess = 0; guess < FROM_ONE_NETWORK; guess++) await change('wrong').expect(400);
    await change(PASSWORD).expect(429);
  });

  it('are counted by X-Forwarded-For if a trusted proxy sends it, else by the address of the connection', async () => {
    await using untrusting = await startTestService(variant, { database: service.database });
    const { plain } = await makeCustomer(service);
    const guess = (password: string, address: string) =>
      request(untrusting.url)
        .post('/v1/login')
        .set('X-Forwarded-For', address)
        .send({ username: plain.username, password });
    for (let index = 0; index < FROM_ONE_NETWORK; index++) await guess('x', `10.2.${index}.1`).expect(401);
    await guess(PASSWORD, '10.3.0.1').expect(429);
  });
});

describeService(['A'], 'the counts of the table attempts', (service) => {
  it('that share buckets neither block each other nor lose one', async () => {
    const attempts = service.app.get(Throttler);
    const limits = ['everybody', 'network-1', 'network-2', 'name'].map((of) => {
      const bucket: Bucket = ['test', of];
      return { bucket, most: 1000 };
    });
    for (let round = 0; round < 20; round++) {
      await atOnce<unknown>(16, (index) => {
        const some = index % 2 === 0 ? limits : limits.toReversed();
        return index % 4 === 3
          ? attempts.reset(...some.map(({ bucket }) => bucket))
          : attempts.reserve(some, 60);
      });
    }
    await attempts.reset(...limits.map(({ bucket }) => bucket));
    await atOnce(16, () => attempts.reserve(limits, 60));
    expect(await service.sql('SELECT DISTINCT used FROM attempts')).toEqual([{ used: 16 }]);
  });

  it('fall to none at most when they are given back, and are not raised by refuseLocked', async () => {
    const attempts = service.app.get(Throttler);
    const bucket: Bucket = ['test', 'given back'];
    const limits = [{ bucket, most: 2 }];
    await attempts.refuseLocked(limits);
    const counted = await attempts.reserve(limits, 60);
    await attempts.refuseLocked(limits);
    await attempts.reserve(limits, 60);
    await expect(attempts.refuseLocked(limits)).rejects.toMatchObject({ status: 429 });
    await attempts.giveBack(counted);
    await attempts.refuseLocked(limits);
    await attempts.giveBack(counted);
    await attempts.giveBack(counted);
    await attempts.reserve(limits, 60);
    await attempts.reserve(limits, 60);
    await expect(attempts.reserve(limits, 60)).rejects.toMatchObject({ status: 429 });
  });

  it('are not given back to a window that began after them', async () => {
    const attempts = service.app.get(Throttler);
    const limits = [{ bucket: ['test', 'window'] as const, most: 1 }];
    const old = await attempts.reserve(limits, 60);
    await service.sql`UPDATE attempts SET resets_at = now() - interval '1 second'`;
    const counted = await attempts.reserve(limits, 60);
    await attempts.giveBack(old);
    await expect(attempts.reserve(limits, 60)).rejects.toMatchObject({ status: 429 });
    await attempts.giveBack(counted);
    await attempts.reserve(limits, 60);
  });

  it('are given back to a window that one of the same moment began, whose clock is later', async () => {
    const attempts = service.app.get(Throttler);
    const limits = ['one', 'other'].map((of) => ({ bucket: ['test', 'at once', of] as const, most: 2 }));
    await attempts.reserve(limits, 60);
    await service.sql`UPDATE attempts SET resets_at = resets_at + interval '1 second'`;
    for (let made = 0; made < 3; made++) await attempts.giveBack(await attempts.reserve(limits, 60));
    await attempts.reserve(limits, 60);
    await expect(attempts.reserve(limits, 60)).rejects.toMatchObject({ status: 429 });
  });

  it('refuse without the database until one is given back', async () => {
    const attempts = service.app.get(Throttler);
    const limit = { bucket: ['test', 'memory'] as const, most: 1 };
    const counted = await attempts.reserve([limit], 60);
    await expect(attempts.reserve([limit], 60)).rejects.toMatchObject({ status: 429 });
    expect(attempts.refused.waitOf(limit.bucket)).toBeGreaterThan(0);
    expect(attempts.refused.waitOf(limit.bucket, -1)).toBeUndefined();
    await attempts.giveBack(counted);
    expect(attempts.refused.waitOf(limit.bucket)).toBeUndefined();
  });
});

const HOME = '192.0.2.9';
const STRANGERS = '203.0.113.5';

describe.each(VARIANTS)('while strangers use up the guesses of POST /login, in Variant %s,', (variant) => {
  const service = useService(variant, { settings: { trustedProxies: ['127.0.0.1'], stepUp: true } });
  let user: MadeUser;
  beforeAll(async () => {
    user = await makeUser(service, { organisationId: await makeOrganisation(service) });
    for (let network = 0; network < FROM_EVERYWHERE; network++) await logIn('x', `10.2.${network}.1`);
    await logIn(PASSWORD, STRANGERS).expect(429);
  });

  const logIn = (password: string, address: string) =>
    anonymous(service).post('/login', { username: user.username, password }).set('X-Forwarded-For', address);
  const change = (oldPassword: string, password: string) =>
    user.client
      .post(`${pathOf(user)}/changepassword`, { oldPassword, password })
      .set('X-Forwarded-For', STRANGERS);

  it('PATCH …/users takes the password of its user', async () => {
    const renamed = { username: `renamed.${user.username}`, firstName: 'Jan', lastName: 'de Vries' };
    const patch = (password: string) =>
      user.client.patch(pathOf(user), { ...renamed, password }).set('X-Forwarded-For', HOME);
    await patch('wrong').expect(401);
    await patch(PASSWORD).expect(204);
    await user.client.patch(pathOf(user), { ...renamed, username: user.username, password: PASSWORD });
  });

  it('POST …/changepassword takes the password of its user, with ten guesses of its own', async () => {
    await change(PASSWORD, 'Passw0rd-2').expect(200);
    for (let guess = 0; guess < OF_ITS_OWN; guess++) await change('wrong', 'Passw0rd-3').expect(400);
    const { headers } = await change('Passw0rd-2', 'Passw0rd-3').expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(800);
  });
});

describe('POST /login and /softlogin, while strangers guess codes,', () => {
  const mailServer = useMailServer();
  const service = useService('A', () => ({
    settings: { trustedProxies: ['127.0.0.1'], smtpUrl: mailServer.url },
  }));
  let clock: MovableClock;
  beforeAll(() => {
    clock = new MovableClock(service);
  });

  const newUser = async () => makeUser(service, { organisationId: await makeOrganisation(service) });

  it('take ten codes of an authenticator from a network that the user is known by', async () => {
    const organisationId = await makeOrganisation(service);
    const user = await makeTwoFactorUser(service, clock, { organisationId });
    const device = new Device(service, user.username);
    const logIn = (code: string, address: string) =>
      device.login({ '6digitCode': code }).set('X-Forwarded-For', address);
    await logIn(clock.code(user.secret), HOME).expect(200);
    clock.moveSteps(2);
    const wrong = clock.wrongCode(user.secret);
    for (let guess = 0; guess < OF_ITS_OWN; guess++) await logIn(wrong, `10.3.${guess}.1`).expect(401);
    // Strangers share ten, from wherever they come.
    await logIn(clock.code(user.secret), STRANGERS).expect(429);
    await logIn(clock.code(user.secret), HOME).expect(200);
    clock.moveSteps(2);
    for (let guess = 0; guess < OF_ITS_OWN; guess++) await logIn(wrong, '192.0.2.77').expect(401);
    await logIn(clock.code(user.secret), HOME).expect(429);
  });

  const CODE = /(?<![\da-f])\d{8}(?![\da-f])/;
  async function mailedCode(username: string): Promise<string> {
    await anonymous(service).post('/resetting/send_email', { username }).expect(204);
    await runJobs(service);
    return CODE.exec(mailServer.mailsTo(username).at(-1)?.text ?? '')?.[0] ?? '';
  }
  const softLogin = (username: string, confirmationCode: string, address: string) =>
    anonymous(service).post('/softlogin', { username, confirmationCode }).set('X-Forwarded-For', address);
  const logInFromHome = ({ username }: MadeUser) =>
    anonymous(service)
      .post('/login', { username, password: PASSWORD })
      .set('X-Forwarded-For', HOME)
      .expect(200);

  it('take ten mailed codes for a user name from a network that the user is known by', async () => {
    const user = await newUser();
    await logInFromHome(user);
    for (let network = 0; network < FROM_EVERYWHERE; network++)
      await softLogin(user.username, 'x', `10.4.${network}.1`).expect(401);
    const code = await mailedCode(user.username);
    await softLogin(user.username, code, STRANGERS).expect(429);
    await softLogin(user.username, code, HOME).expect(200);
    for (let guess = 0; guess < OF_ITS_OWN; guess++) await softLogin(user.username, 'x', HOME).expect(401);
    await softLogin(user.username, 'x', HOME).expect(429);
  });

  it('take a mailed code that has no tries left elsewhere from a network that the user is known by', async () => {
    const user = await newUser();
    await logInFromHome(user);
    const code = await mailedCode(user.username);
    for (let guess = 0; guess < TRIES_OF_A_CODE; guess++)
      await softLogin(user.username, 'x', STRANGERS).expect(401);
    await softLogin(user.username, code, STRANGERS).expect(401);
    await softLogin(user.username, code, HOME).expect(200);
  });
});
