import { AsyncLocalStorage } from 'node:async_hooks';
import { errorTypeOf, type Span, type SpanOptions } from './span';

/** Nothing enters it while no traces are sent: until then asking it is a look at a flag. */
const spans = new AsyncLocalStorage<Span>();

/** The span of the running work; undefined where it belongs to no trace. */
export const currentSpan = (): Span | undefined => spans.getStore();

/** Does work, with all that it awaits, in a span that somebody else ends. */
export const enterSpan = <Result>(span: Span, work: () => Result): Result => spans.run(span, work);

/** Does work in a span and ends it with the work. */
export function runInSpan<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  return endedWith(span, enterSpan(span, work));
}

/** Does work in a span of its own, where the running work is in one. */
export function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const parent = currentSpan();
  return parent?.isRecording === true ? runInSpan(parent.child(name, options), work) : work();
}

/** Ends a span with what it tells of. */
export async function endedWith<Result>(span: Span, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    span.fail(errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

interface TraceOfLine {
  readonly trace_id: string;
  readonly span_id: string;
}

/** What ties a log line to a trace, by the names that OpenTelemetry gives these fields. */
export const traceOfLine = (span: Span | undefined): TraceOfLine | undefined =>
  span && { trace_id: span.traceId, span_id: span.spanId };
