import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { WorkContext } from './work-context';

it('goes along through all that the work awaits, beside other work', async () => {
  const context = new WorkContext<string>();
  const seen = await Promise.all(
    ['one', 'other'].map((value) =>
      context.run(value, async () => {
        await turn();
        return context
          .run(`${value} within`, () => turn(context.current))
          .then((inner) => [context.current, inner]);
      }),
    ),
  );
  expect(seen).toEqual([
    ['one', 'one within'],
    ['other', 'other within'],
  ]);
  expect(context.current).toBeUndefined();
});

it('ends with the work, also with work that fails', async () => {
  const context = new WorkContext<string>();
  await expect(context.run('one', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  const other = context.run('other', () => turn(context.current));
  expect(context.current).toBeUndefined();
  await expect(other).resolves.toBe('other');
});

it('keeps what is under way while other work ends', async () => {
  const context = new WorkContext<string>();
  let end = (): void => undefined;
  const long = context.run('long', async () => {
    await new Promise<void>((resolve) => (end = resolve));
    return context.current;
  });
  await context.run('short', () => turn());
  end();
  await expect(long).resolves.toBe('long');
});

it('lets Node keep no track of promises once no work is in it', async () => {
  const disable = jest.spyOn(AsyncLocalStorage.prototype, 'disable');
  try {
    const context = new WorkContext<string>();
    const both = [context.run('one', () => turn()), context.run('other', () => turn())];
    await both[0];
    await both[1];
    expect(disable).toHaveBeenCalledTimes(1);
    await context.run('another', () => turn());
    expect(disable).toHaveBeenCalledTimes(2);
  } finally {
    disable.mockRestore();
  }
});
