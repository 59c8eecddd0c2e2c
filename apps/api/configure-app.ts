import type { NestExpressApplication } from '@nestjs/platform-express';
import { ClientAddresses } from '@app/core/access/client-addresses';
import { RouteTable } from '@app/core/access/route-table';
import { APP_LOGGER } from '@app/core/logging/logger';
import type { HttpAdapter } from '@app/core/http/http-adapter';
import { ResponseWriter } from '@app/core/wire/response-writer';
import { jsonBody } from '@app/core/wire/json-body';
import { mergeSlashes, rejectMalformedTargets, rejectUnknownPaths } from '@app/core/http/paths';
import { requestLog } from '@app/core/http/request-log';
import { beginRequestSpans, enterRequestSpans } from '@app/core/http/request-span';
import { securityHeaders } from '@app/core/http/security-headers';
import { Metrics } from '@app/core/metrics/metrics';
import { Settings } from '@app/core/settings/settings';
import { Tracer } from '@app/core/tracing/tracer';
import { countUse } from '@app/usage/count-use';
import { UsageRecorder } from '@app/usage/usage-recorder';
import type { Logger } from 'pino';
import { serveDocumentation } from './documentation';

/** Milliseconds that a client may take to send headers and request, and to sit idle between requests. */
const HEADERS_TIMEOUT = 15_000;
const REQUEST_TIMEOUT = 30_000;
/** Longer than a proxy in front usually keeps its side open, so that it never meets a connection just closed. */
const KEEP_ALIVE_TIMEOUT = 65_000;
/**
 * Milliseconds without a byte in either direction after which a connection with a request under way is closed: its
 * client takes nothing of its response. What the system buffers of a response counts as taken once.
 */
const STALLED_TIMEOUT = 60_000;
/**
 * A connection with half a body takes some 110 kB: all of them fit in memory beside everything else. The proxy in front
 * needs some hundred.
 */
const MAX_CONNECTIONS = 2000;

/** Everything about the HTTP side that is not a module: shared by main.ts and the tests. */
export function configureApp(app: NestExpressApplication): NestExpressApplication {
  const settings = app.get(Settings);
  const adapter = app.getHttpAdapter() as unknown as HttpAdapter;
  adapter.writeBy(app.get(ResponseWriter));
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.setGlobalPrefix('v1', { exclude: ['health/live', 'health/ready', 'metrics'] });
  const addresses = app.get(ClientAddresses);
  adapter.auditBy(addresses);
  const tracer = app.get<Tracer | null>(Tracer);
  if (tracer !== null) app.use(beginRequestSpans(tracer, addresses, settings));
  app.use(requestLog(app.get<Logger>(APP_LOGGER), app.get(Metrics), addresses));
  app.use(countUse(app.get(UsageRecorder)));
  app.use(mergeSlashes);
  app.use(securityHeaders());
  app.use(rejectMalformedTargets);
  if (settings.corsOrigins.length > 0) {
    app.enableCors({
      origin: [...settings.corsOrigins],
      exposedHeaders: ['Link', 'Retry-After', 'X-Request-Id'],
    });
  }
  serveDocumentation(app);
  app.use(rejectUnknownPaths(app.get(RouteTable)));
  app.use(jsonBody());
  if (tracer !== null) app.use(enterRequestSpans);
  const server = app.getHttpServer();
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
  server.timeout = STALLED_TIMEOUT;
  server.maxConnections = MAX_CONNECTIONS;
  return app;
}
