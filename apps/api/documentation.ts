import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { Settings } from '@app/config/settings';
import { escapedHtml } from '@app/mail/mail-html';
import type { TooManyRequests } from '@app/platform/errors/api-error';
import { writeErrorResponse } from '@app/platform/http/error-response';
import { publicPath } from '@app/platform/http/public-path';
import { lazily } from '@app/platform/process/lazily';
import { PublicCalls } from '@app/security/access/public-calls';
import { RouteTable } from '@app/security/access/route-table';
import { asOpenApi30 } from '@app/service/openapi/openapi-3-0';
import { servedDescription } from '@app/service/openapi/served-description';

const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));

/** In the URLs of its files: browsers keep them for a day, and load those of another version at once. */
const { version: VERSION } = JSON.parse(readFileSync(join(SWAGGER_UI, 'package.json'), 'utf8')) as {
  version: string;
};

/** The files of its folder that the page loads. */
const FILES_OF_SWAGGER_UI = [
  'favicon-32x32.png',
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
];

const DAY_IN_MS = 86_400_000;

const TITLE = 'Account API';

/** Replaces the bar of Swagger UI, which shows a logo and makes a dead link of a licence without a URL. */
const TITLE_BAR = `
  body { margin: 0; }
  .swagger-ui .topbar { background: #1d3a5f; }
  .swagger-ui .topbar .link { max-width: none; }
  .swagger-ui .topbar .link > * { display: none; }
  .swagger-ui .topbar .link::before { content: '${TITLE}'; }
  .swagger-ui .topbar .download-url-wrapper { display: none; }
  .swagger-ui .info__license { display: none; }`;

/** The page, whose files are beneath the path of `PUBLIC_URL`. */
const pageAt = (root: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE}</title>
<link rel="icon" type="image/png" href="${root}/docs/favicon-32x32.png?v=${VERSION}">
<link rel="stylesheet" href="${root}/docs/swagger-ui.css?v=${VERSION}">
<style>${TITLE_BAR}
</style>
</head>
<body>
<div id="swagger-ui"></div>
<script src="${root}/docs/swagger-ui-bundle.js?v=${VERSION}"></script>
<script src="${root}/docs/swagger-ui-standalone-preset.js?v=${VERSION}"></script>
<script src="${root}/docs/swagger-initializer.js"></script>
</body>
</html>
`;

/** A separate file, because the `Content-Security-Policy` allows no script within the page. */
const initializerAt = (root: string): string => `SwaggerUIBundle({
  url: ${JSON.stringify(`${root}/docs/openapi.json`)},
  dom_id: '#swagger-ui',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  // Otherwise each browser would send the URL of the document to a server of Swagger.
  validatorUrl: null,
  docExpansion: 'none',
  displayRequestDuration: true,
});
`;

/**
 * Serves `/docs`, and the document in OpenAPI 3.1 and 3.0. Makes each document once, at its first request:
 * reading and writing half a megabyte delays other requests by milliseconds.
 */
export function serveDocumentation(app: NestExpressApplication): void {
  const calls = app.get(PublicCalls);
  const served: Express = app.getHttpAdapter().getInstance();
  const settings = app.get(Settings);
  const root = publicPath(settings);
  const page = pageAt(escapedHtml(root));
  const initializer = initializerAt(root);
  // Before the count: a view of the page is a call of the page and one of the description.
  serve(
    served,
    '/docs/swagger-initializer.js',
    (_request, response) => void response.type('js').send(initializer),
  );
  for (const file of FILES_OF_SWAGGER_UI) {
    serve(served, `/docs/${file}`, (_request, response) =>
      response.sendFile(file, { root: SWAGGER_UI, maxAge: DAY_IN_MS }),
    );
  }
  app.use('/docs', (request: Request, response: Response, next: NextFunction) => {
    calls
      .countBriefly(request)
      .then(next, (refusal: TooManyRequests) => writeErrorResponse(refusal, response));
  });
  const describe = lazily(() => servedDescription(settings, app.get(RouteTable).routes));
  serveDocument(served, '/docs/openapi.json', describe);
  serveDocument(served, '/docs/openapi-3.0.json', () => asOpenApi30(describe()));
  serve(served, '/docs', (_request, response) => void response.send(page));
}

/**
 * Serves a path as the route table serves others: OPTIONS names the methods, and only what has an entity tag
 * answers 304. Express does so for everything where `If-None-Match` is `*`.
 */
function serve(served: Express, path: string, handler: RequestHandler, { hasTag = false } = {}): void {
  served
    .route(path)
    .get((request, response, next) => {
      if (!hasTag) delete request.headers['if-none-match'];
      void handler(request, response, next);
    })
    .options((_request, response) => void response.status(204).set('Allow', 'GET, HEAD').end());
}

function serveDocument(served: Express, path: string, make: () => object): void {
  const write = lazily(() => {
    const content = Buffer.from(JSON.stringify(make()));
    return { content, tag: `"${createHash('sha256').update(content).digest('base64url')}"` };
  });
  const send: RequestHandler = (_request, response) => {
    const { content, tag } = write();
    response.set({
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-cache',
      ETag: tag,
    });
    // Express answers 304 if the client has it already.
    response.send(content);
  };
  serve(served, path, send, { hasTag: true });
}
