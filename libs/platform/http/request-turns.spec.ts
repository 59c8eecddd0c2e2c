import { AsyncLocalStorage } from 'node:async_hooks';
import { RequestTurns } from './request-turns';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Runs as many requests as asked; returns those that have begun, in their order. */
function requests(turns: RequestTurns, count: number): readonly number[] {
  const begun: number[] = [];
  for (let request = 1; request <= count; request++) turns.run(() => begun.push(request));
  return begun;
}

it('begins every request at once while no connection waits', () => {
  expect(requests(new RequestTurns(), 100)).toHaveLength(100);
});

it('begins four requests a turn while connections come, in the order of arrival', async () => {
  const turns = new RequestTurns();
  turns.noteAccepted();
  const begun = requests(turns, 100);
  for (const after of [4, 8, 12, 16]) {
    expect(begun).toEqual(Array.from({ length: after }, (_, index) => index + 1));
    turns.noteAccepted();
    await nextTurn();
  }
});

it('begins the rest once some turns have brought no connection, and every later request at once', async () => {
  const turns = new RequestTurns();
  turns.noteAccepted();
  const begun = requests(turns, 100);
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  expect(begun).toHaveLength(100);
  expect(requests(turns, 100)).toHaveLength(100);
});

it('counts requests that arrive in a turn together with those that have waited for it', async () => {
  const turns = new RequestTurns();
  turns.noteAccepted();
  requests(turns, 6);
  await nextTurn();
  expect(requests(turns, 6)).toEqual([1, 2]);
});

it('begins a request that has waited in its own context, where the span of its trace is', async () => {
  const context = new AsyncLocalStorage<number>();
  const turns = new RequestTurns();
  turns.noteAccepted();
  const begun: (number | undefined)[] = [];
  const arrived = [1, 2, 3, 4, 5, 6];
  for (const request of arrived) context.run(request, () => turns.run(() => begun.push(context.getStore())));
  await nextTurn();
  expect(begun).toEqual(arrived);
});

it('counts anew when connections come again', async () => {
  const turns = new RequestTurns();
  turns.noteAccepted();
  requests(turns, 100);
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  turns.noteAccepted();
  expect(requests(turns, 100)).toHaveLength(4);
});
