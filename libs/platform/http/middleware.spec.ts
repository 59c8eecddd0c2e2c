import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { HEADERS_OF_DATA, HEADERS_OF_DOCUMENTS, inOrder } from './middleware';

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

describe('the security headers', () => {
  const OF_DATA: HelmetOptions = {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    xFrameOptions: { action: 'deny' },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  };
  const OF_DOCUMENTS: HelmetOptions = {
    contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } },
  };

  function ofHelmet(options: HelmetOptions): unknown {
    const request = new IncomingMessage(new Socket());
    const response = new ServerResponse(request);
    response.setHeader('Cache-Control', 'no-store');
    helmet(options)(request, response, () => undefined);
    return response.getHeaders();
  }

  const inLowerCase = (headers: typeof HEADERS_OF_DATA): unknown =>
    Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));

  it.each([
    ['data', HEADERS_OF_DATA, OF_DATA],
    ['documents', HEADERS_OF_DOCUMENTS, OF_DOCUMENTS],
  ])('of %s are those of helmet', (_, headers, options) => {
    expect(inLowerCase(headers)).toEqual({ ...(ofHelmet(options) as object) });
  });
});
