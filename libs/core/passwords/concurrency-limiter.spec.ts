import { ConcurrencyLimiter, TooBusy } from './concurrency-limiter';

interface Job {
  promise: Promise<string>;
  finish: () => void;
  hasStarted: () => boolean;
}

function submit(limiter: ConcurrencyLimiter, name: string): Job {
  let started = false;
  let finish = (): void => undefined;
  const gate = new Promise<void>((resolve) => (finish = resolve));
  const promise = limiter.run(async () => {
    started = true;
    await gate;
    return name;
  });
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

  it('gives the place back when the work fails', async () => {
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
