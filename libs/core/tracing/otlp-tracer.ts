import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind as OtelKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
} from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator, type ExportResult } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Settings, TracesSampler } from '../settings/settings';
import type { Span, SpanAttributes, SpanKind, SpanOptions, TraceHeaders } from './span';
import { Tracer, type SpanOrigin } from './tracer';

/** Spans that wait to be sent, past which new ones are dropped; in one message; and milliseconds that they gather. */
const MAX_WAITING = 2048;
const MAX_BATCH = 512;
const GATHERING_TIME = 2000;

/** Messages under way at once: a receiver that is silent holds so many. */
const MAX_UNDER_WAY = 4;

/** Milliseconds that the stop of a process waits for the last spans. */
const CLOSING_TIME = 2000;

const KINDS: Readonly<Record<SpanKind, OtelKind>> = {
  internal: OtelKind.INTERNAL,
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  producer: OtelKind.PRODUCER,
  consumer: OtelKind.CONSUMER,
};

const propagator = new W3CTraceContextPropagator();

type OtlpSettings = Settings & { readonly otlpEndpoint: string };

/** Sends traces by OTLP over HTTP, as JSON. */
export class OtlpTracer extends Tracer {
  private readonly provider: TracerProvider;
  private readonly tracer: OtelTracer;

  constructor(settings: OtlpSettings, version: string, logger: Logger) {
    super();
    const { otlpEndpoint, otlpHeaders, otlpTimeout, otelServiceName, variant } = settings;
    const exporter = new OTLPTraceExporter({
      url: `${otlpEndpoint}/v1/traces`,
      headers: { ...otlpHeaders },
      timeoutMillis: otlpTimeout,
      concurrencyLimit: MAX_UNDER_WAY,
    });
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.name': otelServiceName,
        'service.version': version,
        'service.instance.id': randomUUID(),
        'account_api.variant': variant,
      }),
      sampler: samplerOf(settings),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: new ToldExporter(exporter, logger),
          maxQueueSize: MAX_WAITING,
          maxExportBatchSize: MAX_BATCH,
          scheduledDelayMillis: GATHERING_TIME,
          exportTimeoutMillis: otlpTimeout,
        }),
      ],
    });
    this.tracer = this.provider.getTracer('account-api', version);
  }

  begin(name: string, { parent, link, ...options }: SpanOrigin): Span {
    const linked = link && trace.getSpanContext(contextOf(link));
    const span = this.tracer.startSpan(
      name,
      { ...otelOptions(options), ...(linked && { links: [{ context: linked }] }) },
      parent === undefined ? ROOT_CONTEXT : contextOf(parent),
    );
    return new OtlpSpan(this.tracer, span);
  }

  async close(): Promise<void> {
    // Who waits for spans is told by the log; the end of the process waits for nobody who is away.
    const sent = this.provider.shutdown().catch(() => undefined);
    await Promise.race([sent, pause(CLOSING_TIME, undefined, { ref: false })]);
  }
}

class OtlpSpan implements Span {
  readonly traceId: string;
  readonly spanId: string;
  private readonly context: Context;

  constructor(
    private readonly tracer: OtelTracer,
    private readonly span: OtelSpan,
  ) {
    ({ traceId: this.traceId, spanId: this.spanId } = span.spanContext());
    this.context = trace.setSpan(ROOT_CONTEXT, span);
  }

  get isRecording(): boolean {
    return this.span.isRecording();
  }

  get headers(): TraceHeaders {
    const headers: TraceHeaders = {};
    propagator.inject(this.context, headers, defaultTextMapSetter);
    return headers;
  }

  child(name: string, options: SpanOptions = {}): Span {
    return new OtlpSpan(this.tracer, this.tracer.startSpan(name, otelOptions(options), this.context));
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes);
  }

  fail(errorType: string): void {
    this.span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.span.end();
  }
}

/** Says once that spans are not taken, and once that they are again, however often it is tried meanwhile. */
class ToldExporter implements SpanExporter {
  private isFailing = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly logger: Logger,
  ) {}

  export(spans: ReadableSpan[], tell: (result: ExportResult) => void): void {
    this.exporter.export(spans, (result) => {
      this.note(result);
      tell(result);
    });
  }

  async shutdown(): Promise<void> {
    await this.exporter.shutdown();
  }

  private note({ code, error }: ExportResult): void {
    const isFailing = code !== ExportResultCode.SUCCESS;
    if (isFailing === this.isFailing) return;
    this.isFailing = isFailing;
    if (isFailing)
      this.logger.warn({ err: error }, 'traces are lost: OTEL_EXPORTER_OTLP_ENDPOINT does not take them');
    else this.logger.info('traces are taken again');
  }
}

const contextOf = (headers: TraceHeaders): Context =>
  propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);

const otelOptions = ({ kind = 'internal', attributes = {} }: SpanOptions) => ({
  kind: KINDS[kind],
  attributes,
});

const SAMPLERS: Readonly<Record<TracesSampler, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

const samplerOf = ({ otelTracesSampler, otelTracesSamplerArg }: OtlpSettings): Sampler =>
  SAMPLERS[otelTracesSampler](otelTracesSamplerArg);
