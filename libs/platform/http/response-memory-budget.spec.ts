import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Response } from 'express';
import { TooBusy } from '../concurrency/concurrency-limiter';
import { ResponseMemoryBudget } from './response-writer';

const MEGABYTES = 10_000_000;

const responseOf = (): Response =>
  new ServerResponse(new IncomingMessage(new Socket())) as unknown as Response;

it('has no room for a second long response of a caller until the first has closed', () => {
  const inFlight = new ResponseMemoryBudget();
  const first = responseOf();
  inFlight.add(first, 'user:1', MEGABYTES);
  expect(() => inFlight.add(responseOf(), 'user:1', MEGABYTES)).toThrow(TooBusy);
  inFlight.add(responseOf(), 'user:2', MEGABYTES);
  first.emit('close');
  inFlight.add(responseOf(), 'user:1', MEGABYTES);
});

it('keeps no room for a client that was gone before its response was written', () => {
  const inFlight = new ResponseMemoryBudget();
  for (let count = 0; count < 10; count++) {
    const response = responseOf();
    response.destroy();
    response.emit('close');
    inFlight.add(response, 'user:1', MEGABYTES);
  }
});
