import type { Request, RequestHandler, Response } from 'express';
import { inOrder } from './middleware';

/** Runs the handlers on one request; gives the names of those that ran and what came out at the end. */
async function outcomeOf(handlers: (ran: string[]) => readonly RequestHandler[]): Promise<unknown[]> {
  const ran: string[] = [];
  const end = await new Promise<unknown>((resolve) => {
    void inOrder(...handlers(ran))({} as Request, {} as Response, (error?: unknown) => resolve(error));
  });
  return [...ran, end];
}

describe('middlewares in one layer', () => {
  it('run in their order, though one goes on later', async () => {
    const outcome = await outcomeOf((ran) => [
      (_request, _response, next) => setImmediate(() => (ran.push('first'), next())),
      (_request, _response, next) => (ran.push('second'), next()),
    ]);
    expect(outcome).toEqual(['first', 'second', undefined]);
  });

  it('end at the first error', async () => {
    const fault = new Error('no');
    const outcome = await outcomeOf((ran) => [
      (_request, _response, next) => (ran.push('first'), next(fault)),
      (_request, _response, next) => (ran.push('second'), next()),
    ]);
    expect(outcome).toEqual(['first', fault]);
  });
});
