import { createRequire } from 'node:module';
import type * as OpenTelemetry from '@opentelemetry/api';
import type { Attributes, Context, Span, SpanKind } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { Settings } from '@app/config/settings';
import type * as Sdk from './tracing-sdk';

const load = createRequire(__filename);

/** OpenTelemetry's API, if this process traces. Loading it takes 18 ms, which a command must not pay. */
let api: typeof OpenTelemetry | undefined;

/**
 * Starts tracing if `OTEL_EXPORTER_OTLP_ENDPOINT` is set, and returns its stop. Otherwise
 * does not load OpenTelemetry.
 */
export function startTracing(settings: Settings, logger: Logger): () => Promise<void> {
  if (!settings.tracing) return () => Promise.resolve();
  api = load('@opentelemetry/api') as typeof OpenTelemetry;
  return (load('./tracing-sdk') as typeof Sdk).startSdk(settings, logger);
}

/** Contents of a span: words and numbers of the service, never data of a client or a table. */
export interface SpanOptions {
  readonly kind?: keyof typeof SpanKind;
  readonly attributes?: Attributes;
}

/** The headers of W3C Trace Context, which continue a trace in another process. */
export interface TraceHeaders {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/** Runs work in its own span, if the current work belongs to a recorded trace. */
export function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  if (api?.trace.getActiveSpan()?.isRecording() !== true) return work();
  return inSpanOf(api, api.context.active(), name, options, work);
}

/**
 * Runs work in a span that continues a trace of another process, or starts a new trace,
 * possibly with a link to another.
 */
export function continueTrace<Result>(
  { parent, link }: { readonly parent: TraceHeaders; readonly link?: TraceHeaders | undefined },
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  if (api === undefined) return work();
  const { propagation, ROOT_CONTEXT, trace } = api;
  const linked = link && trace.getSpanContext(propagation.extract(ROOT_CONTEXT, link));
  return inSpanOf(api, propagation.extract(ROOT_CONTEXT, parent), name, options, work, linked);
}

/** The headers of the current trace, if any. */
export function traceHeaders(): TraceHeaders {
  const headers: TraceHeaders = {};
  api?.propagation.inject(api.context.active(), headers);
  return headers;
}

/** Fields that connect a log line with the current span, by OpenTelemetry's names. */
export function traceFields(): { readonly trace_id?: string; readonly span_id?: string } {
  const span = api?.trace.getActiveSpan()?.spanContext();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

function inSpanOf<Result>(
  { SpanKind: kinds, SpanStatusCode, trace }: typeof OpenTelemetry,
  parent: Context,
  name: string,
  { kind = 'INTERNAL', attributes = {} }: SpanOptions,
  work: () => Promise<Result>,
  linked?: OpenTelemetry.SpanContext,
): Promise<Result> {
  const options = { kind: kinds[kind], attributes, links: linked === undefined ? [] : [{ context: linked }] };
  return trace.getTracer('account-api').startActiveSpan(name, options, parent, async (span: Span) => {
    try {
      return await work();
    } catch (error) {
      span.setAttribute('error.type', errorTypeOf(error)).setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

const WORD = /^[\w.-]{1,64}$/;

/** A word for the kind of an error, because messages contain addresses and values. */
function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { reason, code } = error as { reason?: unknown; code?: unknown };
  const word = [reason, code].find((text) => typeof text === 'string' && WORD.test(text));
  return typeof word === 'string' ? word : error.constructor.name;
}
