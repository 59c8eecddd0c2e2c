/** What a span tells beside its name: words and numbers of the service itself, never what a client or a table holds. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | string[]>>;

/** On which side of a call the span is, as OpenTelemetry has it. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export interface SpanOptions {
  /** `internal` where absent. */
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
}

/** The headers of W3C Trace Context, by which a trace goes on in another process. */
export interface TraceHeaders {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}

/** A piece of work in a trace. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether it will be told: not where its trace is not sampled, nor after its end. */
  readonly isRecording: boolean;
  /** For whoever goes on with the trace elsewhere. */
  readonly headers: TraceHeaders;
  child(name: string, options?: SpanOptions): Span;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks it as failed; by a word for the kind of error, since messages hold addresses and values. */
  fail(errorType: string): void;
  end(): void;
}

const WORD = /^[\w.-]{1,64}$/;

/** A word for an error that says nothing of whom it was about: its SQLSTATE or code, or the name of its class. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { reason, code } = error as { reason?: unknown; code?: unknown };
  const word = [reason, code].find((text) => typeof text === 'string' && WORD.test(text));
  return typeof word === 'string' ? word : error.constructor.name;
}
