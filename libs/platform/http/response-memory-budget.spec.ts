import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Response } from 'express';
import { ResponseMemoryBudget } from './response-writer';

const MEGABYTE = 1_000_000;

const responseOf = (): Response =>
  new ServerResponse(new IncomingMessage(new Socket())) as unknown as Response;

describe('ResponseMemoryBudget', () => {
  const inFlight = () => {
    const budget = new ResponseMemoryBudget();
    return (group: string, megabytes: number): Response => {
      const response = responseOf();
      budget.add(response, group, megabytes * MEGABYTE);
      return response;
    };
  };
  const ended = (responses: readonly Response[]): boolean[] => responses.map(({ destroyed }) => destroyed);

  it('ends the one that has waited longest, of who holds most, for one that finds no room', () => {
    const write = inFlight();
    const other = [write('other', 5), write('other', 5)];
    const most = [write('most', 12), write('most', 12), write('most', 12)];
    expect(ended([...other, ...most])).toEqual([false, false, false, false, false]);
    const late = write('late', 20);
    expect(ended([...other, ...most, late])).toEqual([false, false, true, true, false, false]);
  });

  it('ends none of its own for a client that holds little, however much it asks for', () => {
    const write = inFlight();
    const greedy = Array.from({ length: 24 }, () => write('greedy', 2));
    const little = [write('little', 2), write('little', 2)];
    expect(ended(little)).toEqual([false, false]);
    expect(ended(greedy).slice(0, 3)).toEqual([true, true, false]);
  });

  it('has the room back when a response has closed', () => {
    const write = inFlight();
    const first = write('one', 40);
    first.emit('close');
    const second = write('one', 40);
    write('other', 8);
    expect(second.destroyed).toBe(false);
    write('other', 1);
    expect(second.destroyed).toBe(true);
  });

  it('takes a single response that is larger than all memory for them', () => {
    const write = inFlight();
    const small = write('one', 1);
    const large = write('two', 60);
    expect(ended([small, large])).toEqual([true, false]);
  });

  it('keeps no room for a client that was gone before its response was written', () => {
    const budget = new ResponseMemoryBudget();
    const kept = responseOf();
    budget.add(kept, 'one', 10 * MEGABYTE);
    for (let count = 0; count < 10; count++) {
      const response = responseOf();
      response.destroy();
      response.emit('close');
      budget.add(response, 'one', 10 * MEGABYTE);
    }
    expect(kept.destroyed).toBe(false);
  });
});
