import { createHash } from 'node:crypto';
import type { DynamicModule, NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import type { Express, NextFunction, Request, Response } from 'express';
import type { TooManyRequests } from '@app/platform/errors/api-error';
import { jsonBody } from '@app/platform/dto/json-body';
import { ResponseWriter } from '@app/platform/http/response-writer';
import { ClientAddresses } from '@app/platform/context/client-addresses';
import { writeErrorResponse } from '@app/platform/http/error-response';
import { HttpAdapter } from '@app/platform/http/http-adapter';
import { AddressList } from '@app/platform/addresses/ip-address';
import { refuseMalformed } from '@app/platform/http/malformed-request';
import { InterfaceSteps } from '@app/edge/usage/interface-steps.variant-b';
import { inOrder, mergeSlashes, securityHeaders } from '@app/platform/http/middleware';
import { nestLogger } from '@app/platform/observability/logger';
import { Metrics } from '@app/platform/observability/metrics';
import { lazily } from '@app/platform/process/lazily';
import { requestState } from '@app/platform/context/request-state';
import { requestLog, unreadableLog } from '@app/platform/http/request-log';
import { RouteTable, UNVERSIONED_ROUTES } from '@app/security/access/route-table';
import { PublicCalls } from '@app/security/access/public-calls';
import { idempotencyMiddleware, noteBody } from '@app/edge/idempotency/idempotency.middleware';
import { REPLAYED } from '@app/edge/idempotency/idempotency.types';
import { IdempotencyStore } from '@app/edge/idempotency/idempotency-store';
import { AppModule, type AppOptions } from '@app/service/app.module';
import { describeInterface } from '@app/service/openapi/describe-interface';
import { asOpenApi30 } from '@app/service/openapi/openapi-3-0';
import { asPage } from '@app/edge/pages/page';
import { UsageRecorder } from '@app/edge/usage/usage-recorder';
import { usageNote } from '@app/edge/usage/usage-note';

/** Milliseconds that a client may take to send the headers of a request, and the whole request. */
const HEADERS_TIMEOUT = 15_000;
const REQUEST_TIMEOUT = 30_000;
/** Idle milliseconds between requests. Longer than proxies keep a connection, so that they never use a closed one. */
const KEEP_ALIVE_TIMEOUT = 65_000;
/**
 * Milliseconds without a byte in either direction before a connection with a running request is closed. The adapter limits the
 * whole response, for clients that keep sending.
 */
const STALLED_TIMEOUT = 60_000;
/** A connection with half a body takes about 110 kB of memory. The proxy in front needs about a hundred. */
const MAX_CONNECTIONS = 2000;

/** Response headers that scripts of other origins may read. */
const EXPOSED_HEADERS = ['ETag', 'Link', 'Retry-After', 'X-Request-Id', REPLAYED];

const TITLE = 'Account API';

/** Replaces the bar of Swagger UI, which has its logo and would turn a licence without a URL into a dead link. */
const TITLE_BAR = `
  .swagger-ui .topbar { background: #1d3a5f; }
  .swagger-ui .topbar .link { max-width: none; }
  .swagger-ui .topbar .link > * { display: none; }
  .swagger-ui .topbar .link::before { content: '${TITLE}'; }
  .swagger-ui .info__license { display: none; }`;

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
  const adapter = new HttpAdapter(AddressList.of(settings.trustedProxies));
  const app = await build(AppModule.with(options), adapter, {
    logger: nestLogger(logger),
    // `jsonBody` below reads bodies, because their errors come after 401, 404 and 403.
    bodyParser: false,
    abortOnError: false,
  });
  app.setGlobalPrefix('v1', { exclude: UNVERSIONED_ROUTES });

  const routes = app.get(RouteTable);
  // Every request passes these in their order. Guards, pipes, the handler and the response writer follow.
  app.disable('x-powered-by').set('etag', false).set('query parser', 'simple');
  app.use(
    inOrder(
      requestLog(logger, app.get(Metrics), app.get(ClientAddresses), usageNote(app.get(UsageRecorder))),
      mergeSlashes,
      securityHeaders,
      refuseMalformed,
    ),
  );
  // Also for unknown paths and methods beneath `/account`, because a person may open a truncated link.
  if (settings.pages) app.use('/account', asPage(settings));
  const steps = app.get(InterfaceSteps);
  for (const step of steps.first) app.use('/v1', step);
  if (settings.corsOrigins.length > 0) {
    const exposedHeaders = [...EXPOSED_HEADERS, ...steps.exposedHeaders];
    const options = { origin: [...settings.corsOrigins], exposedHeaders };
    // CORS answers a preflight request with 204, except on routes where a 204 grants access: there the route answers.
    app.enableCors((request: Request, use: (error: null, chosen: object) => void) =>
      use(null, {
        ...options,
        preflightContinue: routes.checksCredentialItself(request.method, request.path),
      }),
    );
  }
  for (const gate of steps.gates) app.use('/v1', gate);
  serveDocumentation(app, app.get(PublicCalls));
  app.use(
    inOrder(
      refuseUnserved(routes),
      // A route for all methods ignores the body.
      jsonBody((request) => !routes.methodsOf(request.path).includes('ALL'), noteBody),
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
  server.timeout = STALLED_TIMEOUT;
  adapter.maxConnections = MAX_CONNECTIONS;
  return app;
}

/**
 * Serves `/docs`, and the document in OpenAPI 3.1 and 3.0. The first request makes each one, only once: writing half a megabyte
 * delays other requests by milliseconds.
 */
function serveDocumentation(app: NestExpressApplication, calls: PublicCalls): void {
  app.use('/docs', (request: Request, response: Response, next: NextFunction) => {
    calls
      .countBriefly(request)
      .then(next, (refusal: TooManyRequests) => writeErrorResponse(refusal, response));
  });
  const describe = lazily(() => describeInterface(app));
  serveDocument(app, '/docs/openapi.json', describe);
  serveDocument(app, '/docs/openapi-3.0.json', () => asOpenApi30(describe()));
  SwaggerModule.setup('docs', app, describe, {
    raw: false,
    customSiteTitle: TITLE,
    customCss: TITLE_BAR,
    swaggerOptions: { docExpansion: 'none', displayRequestDuration: true },
  });
}

function serveDocument(app: NestExpressApplication, path: string, make: () => object): void {
  const write = lazily(() => {
    const content = Buffer.from(JSON.stringify(make()));
    return { content, tag: `"${createHash('sha256').update(content).digest('base64url')}"` };
  });
  const express: Express = app.getHttpAdapter().getInstance();
  express.get(path, (_request, response) => {
    const { content, tag } = write();
    response.set({
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-cache',
      ETag: tag,
    });
    // Express answers 304 if the client has it already.
    response.send(content);
  });
}

/**
 * Refuses a request without a route before its body is read. Nest responds to unknown paths only beneath its prefix; elsewhere
 * Express would send an HTML page.
 */
const refuseUnserved =
  (routes: RouteTable) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const { method, path } = request;
    const match = routes.match(method, path);
    if (match === undefined) return writeErrorResponse(routes.refusalOf(method, path), response);
    requestState(response).match = match;
    next();
  };
