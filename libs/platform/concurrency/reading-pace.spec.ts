import { ReadingPace } from './reading-pace';

const PIECE = 'x'.repeat(64_000);

async function* pieces(count: number): AsyncGenerator<string> {
  for (let index = 0; index < count; index++) yield await Promise.resolve(PIECE);
}

describe('ReadingPace', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is slow once a piece has waited for the whole window', async () => {
    const pace = new ReadingPace();
    const stream = pace.measured(pieces(10));
    expect(pace.isSlow(0)).toBe(false);
    await stream.next();
    jest.advanceTimersByTime(1999);
    expect(pace.isSlow(2000)).toBe(false);
    jest.advanceTimersByTime(1);
    expect(pace.isSlow(2000)).toBe(true);
    expect(pace.isSlow(20_000)).toBe(false);
    jest.advanceTimersByTime(18_000);
    expect(pace.isSlow(20_000)).toBe(true);
  });

  it('counts what was taken within the window', async () => {
    const pace = new ReadingPace();
    const stream = pace.measured(pieces(10));
    await stream.next();
    jest.advanceTimersByTime(3000);
    for (let taken = 0; taken < 3; taken++) await stream.next();
    expect(pace.isSlow(2000)).toBe(true);
    await stream.next();
    expect(pace.isSlow(2000)).toBe(false);
    jest.advanceTimersByTime(2001);
    expect(pace.isSlow(2000)).toBe(true);
  });

  it('is not slow while the client waits for the service, nor at the end', async () => {
    const pace = new ReadingPace();
    let resume = (): void => undefined;
    async function* late(): AsyncGenerator<string> {
      yield 'first';
      await new Promise<void>((resolve) => (resume = resolve));
      yield 'second';
    }
    const stream = pace.measured(late());
    await stream.next();
    const second = stream.next();
    await Promise.resolve();
    jest.advanceTimersByTime(60_000);
    expect(pace.isSlow(20_000)).toBe(false);
    resume();
    await second;
    expect(pace.isSlow(20_000)).toBe(true);
    await stream.next();
    expect(pace.isSlow(20_000)).toBe(false);
  });
});
