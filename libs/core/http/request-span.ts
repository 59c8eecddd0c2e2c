import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { ClientAddresses } from '../access/client-addresses';
import type { Settings } from '../settings/settings';
import { enterSpan } from '../tracing/current-span';
import type { Span, SpanAttributes } from '../tracing/span';
import type { Tracer } from '../tracing/tracer';

/** Asked every few seconds by machines: traces of them would hide all others. */
const UNTOLD = /^\/(?:health\/|metrics$)/;

/** Of any other the name could be anything. */
const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
]);

/** They write no jobs. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const SPAN = 'span';

/** The span of a request; undefined where no traces are sent, or none of such a request. */
export const spanOf = (response: Pick<Response, 'locals'>): Span | undefined =>
  response.locals[SPAN] as Span | undefined;

/**
 * Begins the span of each request and ends it with the response. It names the route and never the path, which can hold a
 * token. `traceparent` counts as `X-Request-Id` does: only from a proxy in front, since a stranger could have every
 * request of his told, whatever part of them the settings ask for.
 */
export function beginRequestSpans(
  tracer: Tracer,
  addresses: ClientAddresses,
  settings: Settings,
): RequestHandler {
  const ofServer = serverAttributes(settings);
  return (request: Request, response: Response, next: NextFunction): void => {
    if (UNTOLD.test(request.path)) return next();
    const { headers } = request;
    const method = METHODS.has(request.method) ? request.method : '_OTHER';
    const span = tracer.begin(method === '_OTHER' ? 'HTTP' : method, {
      kind: 'server',
      attributes: { ...ofServer, 'http.request.method': method },
      ...(addresses.isTrustedProxy(request) && {
        parent: { traceparent: textOf(headers.traceparent), tracestate: textOf(headers.tracestate) },
      }),
    });
    response.locals[SPAN] = span;
    if (span.isRecording) response.once('close', () => end(span, request, response));
    next();
  };
}

/**
 * What the request does from here on is told in its span. Stands behind the body's reader, whose events come from the
 * socket's context. A read whose trace is not told has no job to hand it on to: it is spared what a span costs every promise in it.
 */
export function enterRequestSpans({ method }: Request, response: Response, next: NextFunction): void {
  const span = spanOf(response);
  if (span === undefined || (!span.isRecording && READS.has(method))) next();
  else enterSpan(span, next);
}

function end(span: Span, request: Request, response: Response): void {
  const route = (request.route as { path?: string } | undefined)?.path;
  const reason = response.locals['reason'] as string | undefined;
  const requestId = response.getHeader('X-Request-Id');
  if (route !== undefined) span.rename(`${request.method} ${route}`);
  span.set({
    ...(route !== undefined && { 'http.route': route }),
    ...(response.headersSent && { 'http.response.status_code': response.statusCode }),
    ...(typeof requestId === 'string' && { 'http.response.header.x-request-id': [requestId] }),
    'network.protocol.version': request.httpVersion,
  });
  // The 500 of a missing role is a denial.
  if (response.statusCode >= 500 && reason !== 'ROLE_REQUIRED') span.fail(reason ?? `${response.statusCode}`);
  span.end();
}

/** As clients know it: what they send as `Host` could be anything. */
function serverAttributes({ publicUrl }: Settings): SpanAttributes {
  const { protocol, hostname, port } = new URL(publicUrl);
  const scheme = protocol.slice(0, -1);
  const usual = scheme === 'https' ? 443 : 80;
  return {
    'url.scheme': scheme,
    'server.address': hostname,
    'server.port': port === '' ? usual : Number(port),
  };
}

/** A header that is there once. */
const textOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
