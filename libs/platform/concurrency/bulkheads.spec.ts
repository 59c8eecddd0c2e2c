import { availableParallelism } from 'node:os';
import type { Amount, Bulkhead } from './bulkhead';
import { Bulkheads } from './bulkheads';
import { TooBusy } from './concurrency-limiter';

const bulkheadOf = (permits: Amount, more: Partial<Bulkhead> = {}): Bulkhead => ({
  name: 'reads',
  work: 'Reads',
  permits,
  queue: { maxWaiting: 4, maxWaitMs: 60_000 },
  ...more,
});

describe('Bulkheads', () => {
  it('opens a bulkhead once, and no second one of its name', () => {
    const bulkheads = new Bulkheads(10);
    const reads = bulkheadOf(2);
    expect(bulkheads.open(reads)).toBe(bulkheads.open(reads));
    expect(() => bulkheads.open(bulkheadOf(2))).toThrow('Two bulkheads have the name reads');
    bulkheads.open(bulkheadOf(1, { name: 'hashing' }));
    expect(bulkheads.all.map(({ bulkhead }) => bulkhead.name)).toEqual(['hashing', 'reads']);
  });

  it.each<[string, Amount, number, number]>([
    ['a number', 3, 10, 3],
    ['a share of the connections', { ofPool: 0.25 }, 10, 2],
    ['at least one connection', { ofPool: 0.25 }, 2, 1],
    ['a number for each core', { perCore: 2 }, 10, 2 * availableParallelism()],
  ])('runs %s at once', (_, permits, connections, limit) => {
    expect(new Bulkheads(connections).open(bulkheadOf(permits)).limit).toBe(limit);
  });

  it('gives a client its own bounds in place of the usual ones, and counts what it refuses', async () => {
    const bulkhead = new Bulkheads().open(
      bulkheadOf(4, { quotas: { member: { maxRunning: { perCore: 1 }, maxPending: 1 } } }),
    );
    let finish = (): void => undefined;
    const gate = new Promise<void>((resolve) => (finish = resolve));
    const work = (member: string) =>
      bulkhead.run({ group: 'customer 1', part: 'organisation 1', member }, () => gate);
    const first = work('user 1');
    await expect(work('user 1')).rejects.toBeInstanceOf(TooBusy);
    // Of a group two run at most, half of the permits.
    const others = [work('user 2'), work('user 3')].map((running) =>
      running.catch((error: unknown) => error),
    );
    expect(bulkhead.load).toEqual({ running: 2, waiting: 0, refused: 2 });
    finish();
    await first;
    expect(await Promise.all(others)).toEqual([undefined, expect.any(TooBusy)]);
  });

  it('lets groups take turns, the parts of a group within its turns, and their members within those', async () => {
    const bulkhead = new Bulkheads().open(bulkheadOf(1, { queue: { maxWaiting: 100, maxWaitMs: 60_000 } }));
    const begun: string[] = [];
    const work = (group: string, part: string, member: string, name: string) =>
      bulkhead.run({ group, part, member }, () => {
        begun.push(name);
        return Promise.resolve();
      });
    await Promise.all([
      work('1', 'a', 'x', 'first'),
      work('1', 'a', 'x', '1ax'),
      work('1', 'a', 'x', '1ax again'),
      work('1', 'a', 'y', '1ay'),
      work('1', 'b', 'x', '1b'),
      ...Array.from({ length: 20 }, (_, index) => work('1', `part ${index}`, 'x', '1 more')),
      work('2', 'c', 'x', '2c'),
      work('2', 'c', 'x', '2c again'),
    ]);
    expect(begun.slice(0, 5)).toEqual(['first', '1ax', '2c', '1b', '2c again']);
    expect(begun.indexOf('1ay')).toBeLessThan(begun.indexOf('1ax again'));
  });
});
