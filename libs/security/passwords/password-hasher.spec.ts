import { hash } from 'bcrypt';
import { Bulkheads } from '@app/platform/concurrency/bulkheads';
import { TooBusy } from '@app/platform/concurrency/concurrency-limiter';
import { clientIn } from '../context/request-context';
import { HashingThreads } from './hashing-threads';
import { HASHING, PasswordHasher } from './password-hasher';

const COST = 6;
const hasher = new PasswordHasher(COST);
afterAll(() => hasher.close());

/** 24 characters of three bytes: exactly what bcrypt can take. */
const LONGEST = '€'.repeat(24);

describe('hash', () => {
  it('makes a bcrypt hash of the configured cost, with a salt of its own', async () => {
    const [one, two] = await Promise.all([hasher.hash('Secret1!'), hasher.hash('Secret1!')]);
    expect(one).toMatch(/^\$2b\$06\$[./A-Za-z0-9]{53}$/);
    expect(one).not.toBe(two);
    expect(await hasher.verify('Secret1!', one)).toEqual({ matches: true, outdated: false });
    expect(await hasher.verify('secret1!', one)).toEqual({ matches: false, outdated: false });
  });

  it('takes 72 bytes of UTF-8 and counts the last of them', async () => {
    const stored = await hasher.hash(LONGEST);
    expect((await hasher.verify(LONGEST, stored)).matches).toBe(true);
    expect((await hasher.verify(`${LONGEST.slice(0, -1)}₭`, stored)).matches).toBe(false);
  });

  it('refuses more than 72 bytes', async () => {
    await expect(hasher.hash(`${LONGEST}a`)).rejects.toThrow('The password is too long for bcrypt');
  });
});

describe('verify', () => {
  // Published vectors: "Hello world!" of SHA-crypt, "abc" of jBCrypt, "U*U" of
  // crypt_blowfish; `$1$` from OpenSSL.
  it.each([
    ['Hello world!', '$1$saltstri$YMyguxXMBpd2TEZ.vS/3q1'],
    ['Hello world!', '$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5'],
    [
      'Hello world!',
      '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
    ],
    ['abc', '$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i'],
    ['U*U', '$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['U*U', '$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ])('knows %p by %s, which is outdated', async (password, stored) => {
    expect(await hasher.verify(password, stored)).toEqual({ matches: true, outdated: true });
    expect(await hasher.verify(`${password} `, stored)).toEqual({ matches: false, outdated: true });
    expect(await hasher.verify('', stored)).toEqual({ matches: false, outdated: true });
  });

  it('does not call a higher cost outdated', async () => {
    const stored = '$2b$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i';
    const cheaper = new PasswordHasher(5);
    expect(await cheaper.verify('abc', stored)).toEqual({ matches: true, outdated: false });
    await cheaper.close();
  });

  it('never matches more than 72 bytes, though bcrypt would', async () => {
    const stored = await hasher.hash(LONGEST);
    expect(await hasher.verify(`${LONGEST}a`, stored)).toEqual({ matches: false, outdated: false });
  });

  it.each(['', 'Secret1!', '$2b$06$', '$2x$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i'])(
    'matches nothing against %p',
    async (stored) => {
      expect(await hasher.verify('Secret1!', stored)).toEqual({ matches: false, outdated: true });
    },
  );
});

describe('a password beyond ASCII', () => {
  const COMPOSED = 'Caf\u00e9-123!';
  const DECOMPOSED = 'Cafe\u0301-123!';

  it.each([
    [COMPOSED, DECOMPOSED],
    [DECOMPOSED, COMPOSED],
  ])('set as %j is known as %j', async (set, sent) => {
    const stored = await hasher.hash(set);
    expect(await hasher.verify(sent, stored)).toEqual({ matches: true, outdated: false });
  });

  it('matches a hash of its decomposed form, which is outdated', async () => {
    const stored = await hash(DECOMPOSED, COST);
    expect(await hasher.verify(COMPOSED, stored)).toEqual({ matches: true, outdated: true });
    expect(await hasher.verify(DECOMPOSED, stored)).toEqual({ matches: true, outdated: true });
    expect(await hasher.verify('Cafe-123!', stored)).toEqual({ matches: false, outdated: false });
  });

  // printf 'Cafe\u0301-123!' | openssl passwd -6 -stdin -salt saltstring
  it('matches a hash of the previous panel, which hashed the decomposed form', async () => {
    const stored =
      '$6$saltstring$xLB0nCUA9rt89OCYpNAiHsk9mRUdkE6hEDOUrgI3Bva4t2ixFMXAh2pYLFOrbT/yUW441GR6BOdrK4GrsugWB0';
    expect(await hasher.verify(COMPOSED, stored)).toEqual({ matches: true, outdated: true });
  });

  it('counts its 72 bytes composed', async () => {
    // 36 letters of two bytes; decomposed they take 108.
    const longest = 'e\u0301'.repeat(36);
    const stored = await hasher.hash(longest);
    expect((await hasher.verify('\u00e9'.repeat(36), stored)).matches).toBe(true);
    await expect(hasher.hash(`${longest}a`)).rejects.toThrow('The password is too long for bcrypt');
    // bcrypt would cut the decomposed form, and take this hash for it.
    const cut = await hash('e\u0301'.repeat(24), COST);
    expect((await hasher.verify(longest, cut)).matches).toBe(false);
  });
});

describe('work of a wrong password', () => {
  /** The bcrypt rounds done meanwhile, in units of 2^cost. */
  async function bcryptRounds(work: () => Promise<unknown>): Promise<number> {
    const run = jest.spyOn(HashingThreads.prototype, 'run');
    await work();
    const costs = run.mock.calls.flatMap(([name, input]) => {
      if (name === 'roundsPerBcryptRound') return [];
      const hashes = 'hashes' in input ? input.hashes : 'hash' in input ? [input.hash] : [];
      return hashes.map((hash) => Number(hash.slice(4, 6)));
    });
    run.mockRestore();
    return costs.reduce((sum, cost) => sum + 2 ** cost, 0);
  }

  it.each([
    ['its own hash', '$2b$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i'],
    ['a cheaper hash', '$2y$04$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i'],
    ['no hash', ''],
  ])('is that of an unknown user name, against %s', async (_, stored) => {
    expect(await bcryptRounds(() => hasher.spendEqualTime('wrong'))).toBe(2 ** COST);
    expect(await bcryptRounds(() => hasher.verify('wrong', stored))).toBe(2 ** COST);
  });

  it.each([
    ['its own hash', '$2b$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i'],
    ['a cheaper hash', '$2y$04$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i'],
    ['no hash', ''],
  ])('is that of both its forms beyond ASCII, for an unknown name too, against %s', async (_, stored) => {
    for (const wrong of ['wr\u00f6ng', 'wro\u0308ng']) {
      expect(await bcryptRounds(() => hasher.spendEqualTime(wrong))).toBe(2 * 2 ** COST);
      expect(await bcryptRounds(() => hasher.verify(wrong, stored))).toBe(2 * 2 ** COST);
    }
    // The decomposed form takes more than 72 bytes, so nobody compares it.
    const long = '\u00e9'.repeat(30);
    expect(await bcryptRounds(() => hasher.spendEqualTime(long))).toBe(2 ** COST);
    expect(await bcryptRounds(() => hasher.verify(long, stored))).toBe(2 ** COST);
  });

  it('is the rest against an old hash, whose own rounds count as what they take', async () => {
    const slow = new PasswordHasher(10);
    const stored =
      '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1';
    const run = jest.spyOn(HashingThreads.prototype, 'run');
    await slow.verify('warm-up', stored);
    const measured = run.mock.calls.findIndex(([name]) => name === 'roundsPerBcryptRound');
    const worth = (await run.mock.results[measured]?.value) as number;
    run.mockRestore();
    const made = await bcryptRounds(() => slow.verify('wrong', stored));
    await slow.close();
    expect(made + 5000 / worth).toBeGreaterThan(2 ** 10 - 2 ** 4);
    expect(made + 5000 / worth).toBeLessThanOrEqual(2 ** 10);
    // The old rounds are a part of the work, and not most of it.
    expect(made).toBeLessThan(2 ** 10);
    expect(made).toBeGreaterThan(2 ** 8);
  });

  it('is none over 72 bytes, for known and unknown names alike', async () => {
    const stored = await hasher.hash('Secret1!');
    expect(await bcryptRounds(() => hasher.spendEqualTime(`${LONGEST}a`))).toBe(0);
    expect(await bcryptRounds(() => hasher.verify(`${LONGEST}a`, stored))).toBe(0);
  });

  it('is real work: the dummy hash is one that bcrypt computes', async () => {
    const slow = new PasswordHasher(11);
    await slow.verify('warm-up', '');
    const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
      const start = performance.now();
      await work();
      return performance.now() - start;
    };
    // bcrypt answers a malformed hash in microseconds; cost 11 takes at least 30 ms on any machine.
    expect(await timeOf(() => slow.spendEqualTime('wrong'))).toBeGreaterThan(10);
    await slow.close();
  });
});

describe('under load', () => {
  const hashing = ({ cost = 4, maxWaiting }: { cost?: number; maxWaiting: number }) =>
    new PasswordHasher(cost, new Bulkheads(), {
      ...HASHING,
      permits: 1,
      queue: { maxWaiting, maxWaitMs: 60_000 },
    });
  const ofCustomer = (id: number) => ({ customerId: id, organisationId: id });
  const statusesOf = async (work: readonly Promise<unknown>[]): Promise<string[]> =>
    (await Promise.allSettled(work)).map(({ status }) => status);
  const refusedOf = (statuses: readonly string[]): number =>
    statuses.filter((status) => status === 'rejected').length;

  it.each([
    ['user', 16, (_: number) => clientIn(ofCustomer(1), 'user:1')],
    ['organisation', 24, (index: number) => clientIn(ofCustomer(1), `user:${index}`)],
    ['customer', 24, (index: number) => clientIn({ customerId: 1, organisationId: index }, 'user:1')],
    ['network', 24, (index: number) => ({ network: '192.0.2.0/24', name: `name ${index}` })],
    ['group of all strangers', 48, (index: number) => ({ network: `10.0.${index}.0/24`, name: 'name' })],
  ])(
    'refuses at once what goes past the quota of a %s, and takes others still',
    async (_, quota, clientOf) => {
      const hasher = hashing({ maxWaiting: 64 });
      const greedy = statusesOf(
        Array.from({ length: 60 }, (_, index) => hasher.spendEqualTime('x', clientOf(index))),
      );
      await hasher.hash('d', clientIn(ofCustomer(2), 'user:2'));
      expect(refusedOf(await greedy)).toBe(60 - quota);
      await hasher.close();
    },
  );

  it('lets strangers give way to a user that is known when the queue is full', async () => {
    const hasher = hashing({ maxWaiting: 4 });
    const strangers = statusesOf(
      Array.from({ length: 5 }, (_, index) =>
        hasher.spendEqualTime('x', { network: `10.0.${index}.0/24`, name: 'a' }),
      ),
    );
    const late = statusesOf([hasher.spendEqualTime('x', { network: '10.1.0.0/24', name: 'a' })]);
    await hasher.hash('d', clientIn(ofCustomer(1), 'user:1'));
    expect(await late).toEqual(['rejected']);
    expect(await strangers).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    await hasher.close();
  });

  it('refuses what would wait too long, and finishes the rest', async () => {
    const narrow = hashing({ cost: 8, maxWaiting: 1 });
    const outcomes = await Promise.allSettled([
      narrow.hash('a'),
      narrow.spendEqualTime('b'),
      narrow.verify('c', ''),
      narrow.hash('d'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    expect(outcomes[2]).toMatchObject({ reason: expect.any(TooBusy) as unknown });
    await narrow.close();
  });
});
