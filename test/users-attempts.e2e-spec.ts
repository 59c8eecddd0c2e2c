import request from 'supertest';
import { Attempts } from '@app/core/attempts/attempts';
import { makeCustomer, PASSWORD } from './support/factories';
import { startTestService, type TestService } from './support/service';
import { pathOf } from './support/users-factories';

/** decisions.md section 5: wrong passwords for one user name within 15 minutes, from one network and from everywhere. */
const FROM_ONE_NETWORK = 10;
const FROM_EVERYWHERE = 100;

describe.each(['A', 'B'] as const)('guesses of a password in Variant %s', (variant) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(variant, { settings: { trustedProxies: ['127.0.0.1'] } });
  });
  afterAll(() => service.stop());

  const login = (username: string, password: string, address: string) =>
    request(service.url).post('/v1/login').set('X-Forwarded-For', address).send({ username, password });

  const countOf = (answers: readonly { status: number }[], status: number): number =>
    answers.filter((answer) => answer.status === status).length;

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
    await service.sql(`UPDATE attempts SET resets_at = now() - interval '1 second'`);
    await login(plain.username, PASSWORD, '192.0.2.1').expect(200);
  });

  it('of names that do not exist are counted alike', async () => {
    const name = 'nobody@example.com';
    for (let guess = 0; guess < FROM_ONE_NETWORK; guess++) await login(name, 'x', '192.0.2.1').expect(404);
    await login(name, 'x', '192.0.2.1').expect(429);
  });

  it('are evaluated ten times when 200 come at once', async () => {
    const { plain } = await makeCustomer(service);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => login(plain.username, 'wrong', `198.51.100.${index}`)),
    );
    expect(countOf(answers, 401)).toBeLessThanOrEqual(FROM_ONE_NETWORK);
    expect(countOf(answers, 401)).toBeGreaterThan(0);
    // What waits too long to be hashed is told to come again (503); all else is over the limit.
    expect(countOf(answers, 401) + countOf(answers, 429) + countOf(answers, 503)).toBe(200);
    await login(plain.username, PASSWORD, '203.0.113.1').expect(200);
  });

  it('are evaluated a hundred times from everywhere', async () => {
    const { plain } = await makeCustomer(service);
    for (let network = 0; network < FROM_EVERYWHERE; network++) {
      await login(plain.username, 'wrong', `10.0.${network}.1`).expect(401);
    }
    await login(plain.username, PASSWORD, '10.1.0.1').expect(429);
  });

  it('count at changepassword too', async () => {
    const { plain } = await makeCustomer(service);
    const change = (oldPassword: string) =>
      plain.client.post(`${pathOf(plain)}/changepassword`, { oldPassword, password: 'Newpass-12' });
    for (let guess = 0; guess < FROM_ONE_NETWORK; guess++) await change('wrong').expect(400);
    await change(PASSWORD).expect(429);
  });

  it('believe X-Forwarded-For from a trusted proxy alone', async () => {
    const untrusting = await startTestService(variant, { database: service.database });
    try {
      const { plain } = await makeCustomer(service);
      const guess = (password: string, address: string) =>
        request(untrusting.url)
          .post('/v1/login')
          .set('X-Forwarded-For', address)
          .send({ username: plain.username, password });
      for (let index = 0; index < FROM_ONE_NETWORK; index++) await guess('x', `10.2.${index}.1`).expect(401);
      await guess(PASSWORD, '10.3.0.1').expect(429);
    } finally {
      await untrusting.stop();
    }
  });
});

describe('counts of attempts', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('A');
  });
  afterAll(() => service.stop());

  it('that share buckets neither block each other nor lose one', async () => {
    const attempts = service.app.get(Attempts);
    const limits = ['everybody', 'network-1', 'network-2', 'name'].map((bucket) => ({ bucket, most: 1000 }));
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        Array.from({ length: 16 }, (_, index) => {
          const some = index % 2 === 0 ? limits : limits.toReversed();
          return index % 4 === 3
            ? attempts.forgive(...some.map(({ bucket }) => bucket))
            : attempts.reserve(some, 60);
        }),
      );
    }
    await attempts.forgive(...limits.map(({ bucket }) => bucket));
    await Promise.all(Array.from({ length: 16 }, () => attempts.reserve(limits, 60)));
    expect(await service.sql('SELECT DISTINCT used FROM attempts')).toEqual([{ used: 16 }]);
  });
});
