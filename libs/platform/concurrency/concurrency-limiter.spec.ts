import { ConcurrencyLimiter, type Quota, TooBusy } from './concurrency-limiter';

interface Job {
  promise: Promise<string>;
  finish: () => void;
  hasStarted: () => boolean;
}

function submit(limiter: ConcurrencyLimiter, name: string, quotas?: readonly Quota[]): Job {
  let started = false;
  let finish = (): void => undefined;
  const gate = new Promise<void>((resolve) => (finish = resolve));
  const promise = limiter.run(async () => {
    started = true;
    await gate;
    return name;
  }, quotas);
  return { promise, finish, hasStarted: () => started };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('ConcurrencyLimiter', () => {
  it('starts as many as the limit, the others in order of arrival', async () => {
    const limiter = new ConcurrencyLimiter({ limit: 2, maxWaiting: 10, maxWaitMs: 60_000 });
    const jobs = ['a', 'b', 'c', 'd'].map((name) => submit(limiter, name));
    const started = (): boolean[] => jobs.map((job) => job.hasStarted());
    await turn();
    expect(started()).toEqual([true, true, false, false]);
    jobs[1]?.finish();
    await turn();
    expect(started()).toEqual([true, true, true, false]);
    jobs[0]?.finish();
    jobs[2]?.finish();
    jobs[3]?.finish();
    expect(await Promise.all(jobs.map((job) => job.promise))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('gives the permit back when the work fails', async () => {
    const limiter = new ConcurrencyLimiter({ limit: 1, maxWaiting: 0, maxWaitMs: 60_000 });
    await expect(limiter.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(limiter.run(() => Promise.resolve('fine'))).resolves.toBe('fine');
  });

  it('refuses at once when enough is waiting', async () => {
    const limiter = new ConcurrencyLimiter({ limit: 1, maxWaiting: 1, maxWaitMs: 4200 });
    const running = submit(limiter, 'running');
    const waiting = submit(limiter, 'waiting');
    const refused = submit(limiter, 'refused');
    await expect(refused.promise).rejects.toEqual(new TooBusy(5));
    expect(refused.hasStarted()).toBe(false);
    running.finish();
    waiting.finish();
    expect(await waiting.promise).toBe('waiting');
  });

  describe('with clients', () => {
    it('lets groups take turns on every level, however much one of them has waiting', async () => {
      const limiter = new ConcurrencyLimiter({ limit: 1, maxWaiting: 100, maxWaitMs: 60_000 });
      const first = submit(limiter, 'first');
      const waiting = [
        ['a1', 'net-a', 'x'],
        ['a2', 'net-a', 'x'],
        ['a3', 'net-a', 'x'],
        ['a4', 'net-a', 'y'],
        ['b1', 'net-b', 'z'],
        ['b2', 'net-b', 'z'],
      ].map(([name = '', ...path]) => ({
        name,
        job: submit(
          limiter,
          name,
          path.map((key) => ({ key })),
        ),
      }));
      const order: string[] = [];
      first.finish();
      for (let step = 0; step < waiting.length; step++) {
        await turn();
        const next = waiting.find(({ name, job }) => job.hasStarted() && !order.includes(name));
        order.push(next?.name ?? 'none');
        next?.job.finish();
      }
      expect(order).toEqual(['a1', 'b1', 'a4', 'b2', 'a2', 'a3']);
    });

    it('runs no more of one client than its quota, and lets others by', async () => {
      const limiter = new ConcurrencyLimiter({ limit: 3, maxWaiting: 10, maxWaitMs: 60_000 });
      const mine = [{ key: 'user 1', maxRunning: 1 }];
      const one = submit(limiter, 'one', mine);
      const two = submit(limiter, 'two', mine);
      const other = submit(limiter, 'other', [{ key: 'user 2', maxRunning: 1 }]);
      await turn();
      expect([one, two, other].map((job) => job.hasStarted())).toEqual([true, false, true]);
      one.finish();
      await turn();
      expect(two.hasStarted()).toBe(true);
      two.finish();
      other.finish();
      await Promise.all([one, two, other].map(({ promise }) => promise));
    });

    it('refuses at once what goes past the quota of pending work, and takes others still', async () => {
      const limiter = new ConcurrencyLimiter({ limit: 1, maxWaiting: 10, maxWaitMs: 60_000 });
      const mine = [{ key: 'organisation 1', maxPending: 2 }];
      const jobs = [submit(limiter, 'running', mine), submit(limiter, 'waiting', mine)];
      await expect(submit(limiter, 'too many', mine).promise).rejects.toBeInstanceOf(TooBusy);
      jobs.push(submit(limiter, 'other'));
      for (const job of jobs) job.finish();
      expect(await Promise.all(jobs.map(({ promise }) => promise))).toEqual(['running', 'waiting', 'other']);
      const again = submit(limiter, 'again', mine);
      again.finish();
      expect(await again.promise).toBe('again');
    });
  });

  describe('with a full queue', () => {
    const quotas = (...keys: string[]): Quota[] => keys.map((key) => ({ key }));
    const strangers = (...keys: string[]): Quota[] => [
      { key: 'strangers', givesWay: true },
      ...quotas(...keys),
    ];
    const outcomeOf = async ({ promise, finish }: Job): Promise<string> => {
      finish();
      return promise.catch(() => 'refused');
    };

    it.each<[string, Quota[][], Quota[], string[]]>([
      [
        'the newest of the longest group makes room',
        [quotas('a'), quotas('a'), quotas('a'), quotas('b')],
        quotas('c'),
        ['0', '1', 'refused', '3', 'new'],
      ],
      [
        'within the group, the client with the most',
        [quotas('a', 'x'), quotas('a', 'x'), quotas('a', 'y'), quotas('b')],
        quotas('c'),
        ['0', 'refused', '2', '3', 'new'],
      ],
      [
        'nobody makes room for a group that would be as long',
        [quotas('a'), quotas('a'), quotas('b'), quotas('c')],
        quotas('b'),
        ['0', '1', '2', '3', 'refused'],
      ],
      [
        'a group that gives way makes room first, however short',
        [quotas('a'), quotas('a'), quotas('a'), strangers('n')],
        quotas('a'),
        ['0', '1', '2', 'refused', 'new'],
      ],
      [
        'nobody makes room for a group that gives way',
        [quotas('a'), quotas('a'), quotas('a'), quotas('a')],
        strangers('n'),
        ['0', '1', '2', '3', 'refused'],
      ],
    ])('%s', async (_, waiting, newcomer, outcomes) => {
      const limiter = new ConcurrencyLimiter({ limit: 1, maxWaiting: 4, maxWaitMs: 60_000 });
      const running = submit(limiter, 'running');
      const jobs = waiting.map((client, index) => submit(limiter, String(index), client));
      jobs.push(submit(limiter, 'new', newcomer));
      running.finish();
      expect(await Promise.all(jobs.map(outcomeOf))).toEqual(outcomes);
      expect(limiter.load).toEqual({ running: 0, waiting: 0, refused: 1 });
    });
  });

  it('tells running work whether others wait that could run if it ended', async () => {
    const limiter = new ConcurrencyLimiter({ limit: 2, maxWaiting: 10, maxWaitMs: 60_000 });
    const wanted: (() => boolean)[] = [];
    const running: (() => number)[] = [];
    const ends: (() => void)[] = [];
    const hold = (key: string, maxRunning?: number) =>
      limiter.run(
        ({ hasWaiting, runningOfGroup }) => {
          wanted.push(hasWaiting);
          running.push(runningOfGroup);
          return new Promise<void>((resolve) => ends.push(resolve));
        },
        [{ key, ...(maxRunning !== undefined && { maxRunning }) }],
      );
    const work = [hold('a', 1), hold('b')];
    const answers = (): boolean[] => wanted.map((hasWaiting) => hasWaiting());
    await turn();
    expect(answers()).toEqual([false, false]);
    work.push(hold('a', 1));
    expect(answers()).toEqual([true, false]);
    work.push(hold('c'));
    expect(answers()).toEqual([true, true]);
    expect(running.map((count) => count())).toEqual([1, 1]);
    while (ends.length > 0) {
      ends.shift()?.();
      await turn();
    }
    await Promise.all(work);
    expect(limiter.load).toEqual({ running: 0, waiting: 0, refused: 0 });
  });

  describe('with time under control', () => {
    beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
    afterEach(() => jest.useRealTimers());

    it('refuses what has waited too long, never starts it, and serves the next', async () => {
      const limiter = new ConcurrencyLimiter({ limit: 1, maxWaiting: 10, maxWaitMs: 5000 });
      const running = submit(limiter, 'running');
      const late = submit(limiter, 'late');
      jest.advanceTimersByTime(4999);
      const next = submit(limiter, 'next');
      jest.advanceTimersByTime(1);
      await expect(late.promise).rejects.toBeInstanceOf(TooBusy);
      running.finish();
      next.finish();
      expect(await next.promise).toBe('next');
      expect(late.hasStarted()).toBe(false);
      expect(jest.getTimerCount()).toBe(0);
    });
  });
});
