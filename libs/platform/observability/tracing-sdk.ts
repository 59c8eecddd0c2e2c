import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { type Attributes, diag, DiagLogLevel, type Span, SpanStatusCode } from '@opentelemetry/api';
import {
  type ExportResult,
  ExportResultCode,
  setGlobalErrorHandler,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-node';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { Settings } from '@app/config/settings';
import { AddressList } from '@app/formats/ip-address';
import type { AnswerReason } from '../errors/reasons';
import { BUILD } from '../process/build';

/** Milliseconds that the stop of a process waits for the last spans. */
const STOP_TIMEOUT = 2000;

/** Machines request these every few seconds, so their traces would hide all others. */
const PROBES = /^\/(?:health\/|metrics$)/;

/**
 * The only attributes that leave the process. The instrumentations write more, and future
 * versions may add others: paths and queries of requests, which can contain tokens, addresses of
 * clients, the text of statements.
 */
const SENT_ATTRIBUTES: ReadonlySet<string> = new Set([
  'account_api.job.attempt',
  'db.operation.name',
  'db.query.summary',
  'db.system.name',
  'error.type',
  'http.request.method',
  'http.response.header.x-request-id',
  'http.response.status_code',
  'http.route',
  'messaging.destination.name',
  'messaging.message.id',
  'messaging.operation.name',
  'messaging.operation.type',
  'messaging.system',
  'network.protocol.version',
  'server.address',
  'server.port',
  'url.scheme',
]);

/**
 * Starts OpenTelemetry's SDK, which reads its own settings (`OTEL_*`), and its instrumentations of HTTP and
 * PostgreSQL. The returned function sends the last spans.
 */
export function startSdk(settings: Settings, logger: Logger): () => Promise<void> {
  // The exporter below reports lost batches; the SDK would report each one.
  setGlobalErrorHandler(() => undefined);
  const say = (message: string): void => logger.error(`OpenTelemetry: ${message}`);
  diag.setLogger(
    { error: say, warn: say, info: say, debug: say, verbose: say },
    { logLevel: DiagLogLevel.ERROR },
  );
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'account-api',
      'service.version': BUILD.version,
      'service.instance.id': randomUUID(),
      'account_api.variant': settings.variant,
    }).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new TraceExporter(logger))],
  });
  provider.register({ propagator: new W3CTraceContextPropagator() });
  new HttpInstrumentation(httpConfig(settings));
  new PgInstrumentation({
    requireParentSpan: true,
    ignoreConnectSpans: true,
    requestHook: (span, { query }) => {
      const { operation, summary } = summaryOf(query.text);
      span.updateName(summary);
      span.setAttributes({ 'db.operation.name': operation, 'db.query.summary': summary });
    },
  });
  // Instrumentations patch a module when it is next required, so require both now. They patch prototypes,
  // which loaded modules share.
  const load = createRequire(__filename);
  for (const name of ['http', 'pg']) load(name);
  return async () => {
    await Promise.race([
      provider.shutdown().catch(() => undefined),
      pause(STOP_TIMEOUT, undefined, { ref: false }),
    ]);
  };
}

function httpConfig(settings: Settings): ConstructorParameters<typeof HttpInstrumentation>[0] {
  const trustedProxies = AddressList.of(settings.trustedProxies);
  const server = serverAttributes(settings);
  return {
    disableOutgoingRequestInstrumentation: true,
    ignoreIncomingRequestHook: ({ url = '' }) => PROBES.test(url),
    startIncomingSpanHook: ({ headers, socket: { remoteAddress } }) => {
      // Only a trusted proxy may send trace headers, like `X-Request-Id`: a stranger could force the
      // recording of every request.
      if (remoteAddress === undefined || !trustedProxies.includes(remoteAddress)) {
        delete headers['traceparent'];
        delete headers['tracestate'];
      }
      return server;
    },
    applyCustomAttributesOnSpan: (span, request, response) =>
      describeRequest(span, request as Request, response as Response),
  };
}

/** Sets the route, never the path, the id of the request, and the reason of an error. */
function describeRequest(span: Span, request: Request, response: Response): void {
  const route = (request.route as { path?: string } | undefined)?.path;
  if (route !== undefined) span.updateName(`${request.method} ${route}`).setAttribute('http.route', route);
  // Fields of the request state. Its type is above this folder.
  const { id, reason } = response.locals as { readonly id: string; readonly reason?: AnswerReason };
  span.setAttribute('http.response.header.x-request-id', [String(response.getHeader('X-Request-Id') ?? id)]);
  if (response.statusCode < 500) return;
  // The 500 of a missing role is a denial.
  if (reason === 'ROLE_REQUIRED') span.setStatus({ code: SpanStatusCode.OK });
  else span.setAttribute('error.type', reason ?? `${response.statusCode}`);
}

/** The public URL of the server; a client can send any `Host`. */
function serverAttributes({ publicUrl }: Settings): Attributes {
  const { protocol, hostname, port } = new URL(publicUrl);
  const scheme = protocol.slice(0, -1);
  const defaultPort = scheme === 'https' ? 443 : 80;
  return {
    'url.scheme': scheme,
    'server.address': hostname,
    'server.port': port === '' ? defaultPort : Number(port),
  };
}

/**
 * The span with only {@link SENT_ATTRIBUTES}. Its events and messages are left out, because those
 * of errors contain values.
 */
function reduced(span: ReadableSpan): ReadableSpan {
  const sent = Object.entries(span.attributes).filter(([name]) => SENT_ATTRIBUTES.has(name));
  const changed = { attributes: Object.fromEntries(sent), events: [], status: { code: span.status.code } };
  return Object.create(span, Object.getOwnPropertyDescriptors(changed)) as ReadableSpan;
}

/** Sends reduced spans. Logs once when spans are lost, and once when they arrive again. */
class TraceExporter extends OTLPTraceExporter {
  private isFailing = false;

  constructor(private readonly logger: Logger) {
    super();
  }

  override export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    super.export(spans.map(reduced), (result) => {
      this.log(result);
      done(result);
    });
  }

  private log({ code, error }: ExportResult): void {
    const isFailing = code !== ExportResultCode.SUCCESS;
    if (isFailing === this.isFailing) return;
    this.isFailing = isFailing;
    if (isFailing)
      this.logger.warn({ err: error }, 'traces are lost: OTEL_EXPORTER_OTLP_ENDPOINT does not accept them');
    else this.logger.info('traces are accepted again');
  }
}

/** The leading comment of a statement, which names it: `/* access *\/ SELECT …`. */
const NAME = /^\s*\/\* ([a-z_. ]+) \*\/\s*/;

/** The first table of a statement, and its operation. */
const TARGET =
  /\b(?:(INSERT)\s+INTO|(DELETE)\s+FROM|(UPDATE)|(?<!\bDISTINCT\s+)FROM)\s+(?:ONLY\s+)?"?([a-z_][a-z0-9_.]*)/i;

/**
 * The operation of a statement with its first table, or the name in its leading comment. It contains no
 * values and no other text. It is a guess, for people.
 */
export function summaryOf(statement: string): { readonly operation: string; readonly summary: string } {
  const name = NAME.exec(statement)?.[1];
  const text = statement.replace(NAME, '');
  const first = (/^\s*(START TRANSACTION|[a-z]+)/i.exec(text)?.[1] ?? '').toUpperCase();
  if (!/^(SELECT|INSERT|UPDATE|DELETE|WITH)$/.test(first))
    return { operation: first, summary: name ?? first };
  const [, inserts, deletes, updates, table] = TARGET.exec(text) ?? [];
  const operation = (inserts ?? deletes ?? updates ?? 'SELECT').toUpperCase();
  return { operation, summary: name ?? (table === undefined ? operation : `${operation} ${table}`) };
}
