import type { DynamicModule, NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { idempotencyMiddleware, noteBody } from '@app/edge/idempotency/idempotency.middleware';
import { REPLAYED } from '@app/edge/idempotency/idempotency.types';
import { IdempotencyStore } from '@app/edge/idempotency/idempotency-store';
import { asPage } from '@app/edge/pages/page';
import { InterfaceSteps } from '@app/edge/usage/interface-steps.variant-b';
import { usageNote } from '@app/edge/usage/usage-note';
import { UsageRecorder } from '@app/edge/usage/usage-recorder';
import { Brands } from '@app/mail/brands';
import { ClientAddresses } from '@app/platform/context/client-addresses';
import { requestState } from '@app/platform/context/request-state';
import { jsonBody } from '@app/platform/dto/json-body';
import { composedQuery } from '@app/platform/http/composed-query';
import { writeErrorResponse } from '@app/platform/http/error-response';
import { HttpAdapter } from '@app/platform/http/http-adapter';
import { refuseMalformed } from '@app/platform/http/malformed-request';
import { inOrder, securityHeaders } from '@app/platform/http/middleware';
import { requestLog, unreadableLog } from '@app/platform/http/request-log';
import { ResponseWriter } from '@app/platform/http/response-writer';
import { nestLogger } from '@app/platform/observability/logger';
import { Metrics } from '@app/platform/observability/metrics';
import { refusedSender } from '@app/security/access/request-sender';
import { RouteTable, UNVERSIONED_ROUTES } from '@app/security/access/route-table';
import { accessState } from '@app/security/context/access-state';
import { AppModule, type AppOptions } from '@app/service/app.module';
import { serveDocumentation } from './documentation';
import { closeSilent } from './silent-connections';

/** Milliseconds that a client may take to send the headers of a request, and the whole request. */
const HEADERS_TIMEOUT = 15_000;
const REQUEST_TIMEOUT = 30_000;
/**
 * Idle milliseconds between requests. Longer than proxies keep a connection, so that
 * they never use a closed one.
 */
const KEEP_ALIVE_TIMEOUT = 65_000;
/**
 * Milliseconds without a byte in either direction before a connection with a running request is closed, up to
 * five seconds later. The adapter limits the whole response, for clients that keep sending.
 */
const SILENCE_TIMEOUT = 60_000;
/**
 * A connection with half a body takes about 110 kB of memory. The proxy in front needs
 * about a hundred connections.
 */
const MAX_CONNECTIONS = 2000;

/** Seconds for which a browser keeps the answer to a preflight request. Chromium keeps none longer. */
const PREFLIGHT_MAX_AGE = 7200;

/** Response headers that scripts of other origins may read. */
const EXPOSED_HEADERS = ['ETag', 'Link', 'Retry-After', 'X-Request-Id', REPLAYED];

type NestBuilder = (
  module: DynamicModule,
  adapter: HttpAdapter,
  options: NestApplicationOptions,
) => Promise<NestExpressApplication>;

/**
 * Builds the service, ready to listen, for main.ts and for tests.
 * @param build tests replace providers here
 */
export async function createApp(
  options: AppOptions,
  build: NestBuilder = (...args) => NestFactory.create(...args),
): Promise<NestExpressApplication> {
  const { settings, logger } = options;
  const adapter = new HttpAdapter();
  const app = await build(AppModule.with(options), adapter, {
    logger: nestLogger(logger),
    // `jsonBody` below reads bodies, because their errors come after 401, 404 and 403.
    bodyParser: false,
    abortOnError: false,
  });
  app.setGlobalPrefix('v1', { exclude: UNVERSIONED_ROUTES });

  const routes = app.get(RouteTable);
  const addresses = app.get(ClientAddresses);
  // Every request passes these steps in order. Guards, pipes, the handler and the response writer follow.
  app.disable('x-powered-by').set('etag', false).set('query parser', composedQuery);
  app.use(
    inOrder(
      requestLog(logger, app.get(Metrics), addresses, {
        sender: refusedSender(addresses),
        ended: usageNote(app.get(UsageRecorder)),
      }),
      securityHeaders,
      refuseMalformed,
    ),
  );
  // Pages also answer unknown paths and methods beneath `/account`, because a person
  // may open a truncated link.
  if (settings.pages) app.use('/account', asPage(settings, app.get(Brands)));
  const steps = app.get(InterfaceSteps);
  for (const step of steps.first) app.use('/v1', step);
  if (settings.corsOrigins.length > 0) {
    const exposedHeaders = [...EXPOSED_HEADERS, ...steps.exposedHeaders];
    const options = { origin: [...settings.corsOrigins], exposedHeaders, maxAge: PREFLIGHT_MAX_AGE };
    // The service answers OPTIONS itself. CORS answers where a route takes all methods,
    // unless its 204 grants access.
    app.enableCors((request: Request, use: (error: null, chosen: object) => void) => {
      const { method, path } = request;
      const isForeign = method === 'OPTIONS' && routes.methodsOf(path).includes('ALL');
      use(null, { ...options, preflightContinue: !isForeign || routes.grantsByOptions(path) });
    });
  }
  app.use(inOrder(answerOptions(routes), matchRoute(routes)));
  serveDocumentation(app);
  app.use(
    inOrder(
      refuseUnserved(routes),
      // A route for all methods ignores the body.
      jsonBody((_, response) => requestState(response).match?.route.method !== 'ALL', noteBody),
      idempotencyMiddleware(app.get(IdempotencyStore)),
    ),
  );
  adapter.serveMatches();
  adapter.writeBy(app.get(ResponseWriter));
  adapter.onUnreadable = unreadableLog(logger, app.get(Metrics));

  const server = app.getHttpServer();
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
  closeSilent(server, SILENCE_TIMEOUT);
  server.maxConnections = MAX_CONNECTIONS;
  return app;
}

/**
 * Names the methods of a path without a look at the credential. They are those of the
 * description of the interface.
 */
const answerOptions =
  (routes: RouteTable) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const methods = request.method === 'OPTIONS' ? routes.namedByOptions(request.path) : undefined;
    if (methods === undefined) next();
    else response.status(204).set('Allow', methods.join(', ')).end();
  };

/** Finds the route of a request, for the gates and for all that follows. */
const matchRoute =
  (routes: RouteTable) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const match = routes.match(request.method, request.path);
    if (match !== undefined) requestState(response).match = match;
    next();
  };

/**
 * Refuses a request without a route before its body is read. Nest responds to unknown paths only beneath its
 * prefix; elsewhere Express would send an HTML page.
 */
const refuseUnserved =
  (routes: RouteTable) =>
  async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    if (requestState(response).match !== undefined) return next();
    const refusal = routes.refusalOf(request.method, request.path);
    await accessState(response).readyErrorPage?.(refusal);
    writeErrorResponse(refusal, response);
  };
