import request from 'supertest';
import { HashingThreads } from '@app/core/passwords/hashing-threads';
import { Throttler, type Bucket } from '@app/core/throttling/throttler';
import { makeCustomer, PASSWORD } from './support/factories';
import { startTestService, type TestService } from './support/service';
import { pathOf } from './support/users-factories';
import { VARIANTS } from './support/variants';

/** decisions.md section 5: wrong passwords for one user name within 15 minutes, from one network and from everywhere. */
const FROM_ONE_NETWORK = 10;
const FROM_EVERYWHERE = 100;

describe.each(VARIANTS)('guesses of a password in Variant %s', (variant) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(variant, { settings: { trustedProxies: ['127.0.0.1'] } });
  });
  afterAll(() => service.stop());

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
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, index) => login(plain.username, 'wrong', `198.51.100.${index}`)),
    );
    expect(countOf(responses, 401)).toBeLessThanOrEqual(FROM_ONE_NETWORK);
    expect(countOf(responses, 401)).toBeGreaterThan(0);
    expect(countOf(responses, 401) + countOf(responses, 429)).toBe(200);
    await login(plain.username, PASSWORD, '203.0.113.1').expect(200);
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
    const attempts = service.app.get(Throttler);
    const limits = ['everybody', 'network-1', 'network-2', 'name'].map((of) => {
      const bucket: Bucket = ['test', of];
      return { bucket, most: 1000 };
    });
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        Array.from({ length: 16 }, (_, index) => {
          const some = index % 2 === 0 ? limits : limits.toReversed();
          return index % 4 === 3
            ? attempts.reset(...some.map(({ bucket }) => bucket))
            : attempts.reserve(some, 60);
        }),
      );
    }
    await attempts.reset(...limits.map(({ bucket }) => bucket));
    await Promise.all(Array.from({ length: 16 }, () => attempts.reserve(limits, 60)));
    expect(await service.sql('SELECT DISTINCT used FROM attempts')).toEqual([{ used: 16 }]);
  });

  it('are given back without falling below none, and tell of a used-up one without counting', async () => {
    const attempts = service.app.get(Throttler);
    const bucket: Bucket = ['test', 'given back'];
    const limits = [{ bucket, most: 2 }];
    await attempts.refuseLocked(limits);
    await attempts.reserve(limits, 60);
    await attempts.refuseLocked(limits);
    await attempts.reserve(limits, 60);
    await expect(attempts.refuseLocked(limits)).rejects.toMatchObject({ status: 429 });
    await attempts.giveBack(bucket);
    await attempts.refuseLocked(limits);
    await attempts.giveBack(bucket);
    await attempts.giveBack(bucket);
    await attempts.reserve(limits, 60);
    await attempts.reserve(limits, 60);
    await expect(attempts.reserve(limits, 60)).rejects.toMatchObject({ status: 429 });
  });
});
