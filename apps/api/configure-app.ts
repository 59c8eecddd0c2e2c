import type { NestExpressApplication } from '@nestjs/platform-express';
import { ClientAddresses } from '@app/core/access/client-addresses';
import { auditRequests } from '@app/core/audit/audit-requests';
import { RouteTable } from '@app/core/access/route-table';
import { APP_LOGGER } from '@app/core/logging/logger';
import { jsonBody } from '@app/core/http/json-body';
import { mergeSlashes, refuseUnknownPaths } from '@app/core/http/paths';
import { requestLog } from '@app/core/http/request-log';
import { securityHeaders } from '@app/core/http/security-headers';
import { Metrics } from '@app/core/metrics/metrics';
import { Settings } from '@app/core/settings/settings';
import type { Logger } from 'pino';
import { serveDocumentation } from './documentation';

/** Milliseconds that a client may take to send headers and request, and to sit idle between requests. */
const HEADERS_TIMEOUT = 15_000;
const REQUEST_TIMEOUT = 30_000;
/** Longer than a proxy in front usually keeps its side open, so that it never meets a connection just closed. */
const KEEP_ALIVE_TIMEOUT = 65_000;

/** Everything about the HTTP side that is not a module: shared by main.ts and the tests. */
export function configureApp(app: NestExpressApplication): NestExpressApplication {
  const settings = app.get(Settings);
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.setGlobalPrefix('v1', { exclude: ['health/live', 'health/ready', 'metrics'] });
  app.use(requestLog(app.get<Logger>(APP_LOGGER), app.get(Metrics)));
  app.use(mergeSlashes);
  app.use(securityHeaders());
  if (settings.corsOrigins.length > 0) {
    app.enableCors({
      origin: [...settings.corsOrigins],
      exposedHeaders: ['Link', 'Retry-After', 'X-Request-Id'],
    });
  }
  app.use(jsonBody());
  app.use(auditRequests(app.get(ClientAddresses)));
  serveDocumentation(app);
  app.use(refuseUnknownPaths(app.get(RouteTable)));
  const server = app.getHttpServer();
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
  return app;
}
