import { readdirSync } from 'node:fs';
import { availableParallelism, getPriority } from 'node:os';
import { TooBusy } from '@app/platform/concurrency/concurrency-limiter';
import { HashingThreads } from './hashing-threads';

const threads = new HashingThreads();
afterAll(() => threads.close());

/** Elsewhere threads have no priority of their own; under `nice` the system caps it. */
const onLinux = process.platform === 'linux' && getPriority() === 0 ? it : it.skip;

/** Ten lower than that of the process, which may be low already. */
const loweredPriority = (): number => Math.min(19, getPriority(process.pid) + 10);

const niceThreads = (): number =>
  readdirSync('/proc/self/task').filter((thread) => getPriority(Number(thread)) === loweredPriority()).length;

describe('HashingThreads', () => {
  it('passes a failure on and goes on working', async () => {
    const broken = { password: 'x', hash: null as unknown as string };
    await expect(threads.run('bcryptCompare', broken)).rejects.toThrow('data and hash arguments required');
    await expect(threads.run('bcryptHash', { password: 'x', cost: 4 })).resolves.toMatch(/^\$2b\$04\$/);
  });

  it('makes work wait for a thread, and loses none', async () => {
    const passwords = Array.from({ length: 4 * availableParallelism() }, (_, index) => String(index));
    const hashes = await Promise.all(
      passwords.map((password) => threads.run('bcryptHash', { password, cost: 4 })),
    );
    expect(new Set(hashes).size).toBe(passwords.length);
  });

  onLinux('starts no more threads than there are cores', async () => {
    const few = new HashingThreads();
    const before = niceThreads();
    await Promise.all(
      Array.from({ length: 4 * availableParallelism() }, () =>
        few.run('bcryptHash', { password: 'x', cost: 4 }),
      ),
    );
    expect(niceThreads() - before).toBe(availableParallelism());
    await few.close();
  });

  it('leaves the event loop free meanwhile', async () => {
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    await threads.run('bcryptHash', { password: 'x', cost: 11 });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
  });

  onLinux('is the only one that runs at a lower priority than requests', async () => {
    await threads.run('bcryptHash', { password: 'x', cost: 4 });
    const priorities = readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)));
    expect(priorities).toContain(loweredPriority());
    expect(priorities).toContain(getPriority(process.pid));
    expect(getPriority()).toBe(getPriority(process.pid));
  });

  it('fails what is under way when stopped, and all that comes later', async () => {
    const stopping = new HashingThreads();
    const underWay = stopping.run('bcryptHash', { password: 'x', cost: 15 });
    const failed = expect(underWay).rejects.toThrow(TooBusy);
    await stopping.close();
    await failed;
    await expect(stopping.run('bcryptHash', { password: 'x', cost: 4 })).rejects.toThrow('are stopped');
  });
});
