import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Response } from 'express';
import { TooBusy } from '../concurrency/concurrency-limiter';
import { ResponseMemoryBudget } from './response-writer';

const MEGABYTES = 10_000_000;

const responseOf = (): Response =>
  new ServerResponse(new IncomingMessage(new Socket())) as unknown as Response;

it('has no room for a second long response of a client until the first has closed', () => {
  const inFlight = new ResponseMemoryBudget();
  const first = responseOf();
  inFlight.add(first, 'one', MEGABYTES);
  expect(() => inFlight.add(responseOf(), 'one', MEGABYTES)).toThrow(TooBusy);
  inFlight.add(responseOf(), 'other', MEGABYTES);
  first.emit('close');
  inFlight.add(responseOf(), 'one', MEGABYTES);
});

it('keeps no room for a client that was gone before its response was written', () => {
  const inFlight = new ResponseMemoryBudget();
  for (let count = 0; count < 10; count++) {
    const response = responseOf();
    response.destroy();
    response.emit('close');
    inFlight.add(response, 'one', MEGABYTES);
  }
});
