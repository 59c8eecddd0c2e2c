import { createRequire } from 'node:module';
import type { Logger } from 'pino';
import type { Settings } from '../settings/settings';
import type * as OpenTelemetry from './otlp-tracer';
import type { Span, SpanOptions, TraceHeaders } from './span';

const load = createRequire(__filename);

/** Where a span comes from that has no parent in this process. */
export interface SpanOrigin extends SpanOptions {
  /** The trace goes on from there; headers that are no good count as none. */
  readonly parent?: TraceHeaders;
  /** Another trace begins, which tells of this one. */
  readonly link?: TraceHeaders;
}

/** Begins what a process tells of a trace, and sends it. Injected as null where no traces are sent. */
export abstract class Tracer {
  /** A span without a parent in this process. Who works in it enters it: see `current-span.ts`. */
  abstract begin(name: string, origin: SpanOrigin): Span;

  /** Sends what is still here; takes two seconds at most. */
  abstract close(): Promise<void>;
}

/** The tracer that the settings ask for. OpenTelemetry is loaded only then: nobody else pays for it. */
export function tracerOf(settings: Settings, version: string, logger: Logger): Tracer | null {
  const { otlpEndpoint } = settings;
  if (otlpEndpoint === undefined) return null;
  const { OtlpTracer } = load('./otlp-tracer') as typeof OpenTelemetry;
  return new OtlpTracer({ ...settings, otlpEndpoint }, version, logger);
}
