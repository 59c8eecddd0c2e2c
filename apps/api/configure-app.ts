import type { DynamicModule, NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { jsonBody } from '@app/platform/dto/json-body';
import { ResponseWriter } from '@app/platform/dto/response-writer';
import { ClientAddresses } from '@app/platform/http/client-addresses';
import { writeErrorResponse } from '@app/platform/http/error-response';
import { HttpAdapter } from '@app/platform/http/http-adapter';
import { mergeSlashes, securityHeaders } from '@app/platform/http/middleware';
import { nestLogger } from '@app/platform/observability/logger';
import { Metrics } from '@app/platform/observability/metrics';
import { requestLog } from '@app/platform/observability/request-log';
import { RouteTable } from '@app/security/access/route-table';
import { AppModule, type AppOptions } from '@app/service/app.module';
import { describeInterface } from '@app/service/openapi/describe-interface';
import { UsageRecorder } from '@app/usage/usage-recorder';
import { usageMiddleware } from '@app/usage/usage.middleware';

/** Milliseconds that a client may take to send the headers of a request, and the whole request. */
const HEADERS_TIMEOUT = 15_000;
const REQUEST_TIMEOUT = 30_000;
/** Idle milliseconds between requests: longer than proxies keep a connection, so that they never use a closed one. */
const KEEP_ALIVE_TIMEOUT = 65_000;
/**
 * Milliseconds without a byte in either direction before a connection with a request under way is closed. The adapter
 * limits the whole response for clients that keep sending.
 */
const STALLED_TIMEOUT = 60_000;
/** A connection with half a body takes about 110 kB of memory. The proxy in front needs about a hundred. */
const MAX_CONNECTIONS = 2000;

type NestBuilder = (
  module: DynamicModule,
  adapter: HttpAdapter,
  options: NestApplicationOptions,
) => Promise<NestExpressApplication>;

/**
 * Builds the service, ready to listen, for main.ts and for tests.
 * @param build tests replace providers with their own
 */
export async function createApp(
  options: AppOptions,
  build: NestBuilder = (...args) => NestFactory.create(...args),
): Promise<NestExpressApplication> {
  const { settings, logger } = options;
  const adapter = new HttpAdapter();
  const app = await build(AppModule.with(options), adapter, {
    logger: nestLogger(logger),
    // `jsonBody` below reads bodies: its errors come after 401, 404 and 403.
    bodyParser: false,
    abortOnError: false,
  });
  app.setGlobalPrefix('v1', { exclude: ['health/live', 'health/ready', 'metrics'] });

  const routes = app.get(RouteTable);
  // Every request passes these in their order; guards, pipes and the handler follow, then the writer.
  app.disable('x-powered-by').set('etag', false).set('query parser', 'simple');
  app.use(requestLog(logger, app.get(Metrics), app.get(ClientAddresses)));
  app.use(usageMiddleware(app.get(UsageRecorder)));
  app.use(mergeSlashes);
  app.use(securityHeaders());
  if (settings.corsOrigins.length > 0) {
    const exposedHeaders = ['Link', 'Retry-After', 'X-Request-Id'];
    const options = { origin: [...settings.corsOrigins], exposedHeaders };
    // Elsewhere a preflight is answered here, with 204: where a 204 lets somebody in, the route answers.
    app.enableCors((request: Request, use: (error: null, chosen: object) => void) =>
      use(null, { ...options, preflightContinue: routes.judgesCredential(request.method, request.path) }),
    );
  }
  serveDocumentation(app);
  app.use(refuseUnserved(routes));
  // A route of every method looks at no body.
  app.use(jsonBody((request) => !routes.methodsOf(request.path).includes('ALL')));
  adapter.writeBy(app.get(ResponseWriter));

  const server = app.getHttpServer();
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
  server.timeout = STALLED_TIMEOUT;
  server.maxConnections = MAX_CONNECTIONS;
  return app;
}

/** Serves `/docs` and `/docs/openapi.json`; the first request makes the document. */
function serveDocumentation(app: NestExpressApplication): void {
  SwaggerModule.setup('docs', app, () => describeInterface(app), {
    jsonDocumentUrl: 'docs/openapi.json',
    raw: ['json'],
    customSiteTitle: 'Account API',
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true },
  });
}

/**
 * Refuses a request that no route serves before its body is read. Nest responds to unknown paths only beneath its prefix;
 * elsewhere Express would send an HTML page.
 */
const refuseUnserved =
  (routes: RouteTable) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const refusal = routes.refusalOf(request.method, request.path);
    if (refusal === undefined) next();
    else writeErrorResponse(refusal, response);
  };
