import { currentSpan, inSpan, runInSpan } from '../tracing/current-span';
import type { SpanAttributes, TraceHeaders } from '../tracing/span';
import type { Tracer } from '../tracing/tracer';
import type { RunningJob } from './job-handler';

/**
 * What a job's payload holds of the trace that wrote it, beside what its handler reads: builds and handlers that know
 * nothing of it pass over it.
 */
interface TracedPayload extends TraceHeaders {
  /** The `traceparent` of jobs that were written many at once: each has a trace of its own. */
  readonly tracelink?: string;
}

/** What a job is told to go on with: the trace of whoever writes it. */
export const traceOfJob = (): TracedPayload => currentSpan()?.headers ?? {};

/** One trace with the mails of a thousand recipients would be too large for whoever shows it. */
export function traceOfJobs(): TracedPayload {
  const { traceparent } = traceOfJob();
  return traceparent === undefined ? {} : { tracelink: traceparent };
}

const attributesOf = (task: string, operation: 'send' | 'process'): SpanAttributes => ({
  'messaging.system': 'graphile_worker',
  'messaging.destination.name': task,
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
});

/** Writes a job: the trace tells of it. */
export const inSendingSpan = (task: string, work: () => Promise<unknown>): Promise<unknown> =>
  inSpan(`send ${task}`, { kind: 'producer', attributes: attributesOf(task, 'send') }, work);

/** Does a job in the trace that its payload names, or in one of its own. */
export function inProcessingSpan(
  tracer: Tracer,
  task: string,
  payload: unknown,
  { id, attempt }: RunningJob,
  work: () => Promise<void>,
): Promise<void> {
  const { traceparent, tracestate, tracelink } = (payload ?? {}) as TracedPayload;
  const span = tracer.begin(`process ${task}`, {
    kind: 'consumer',
    attributes: {
      ...attributesOf(task, 'process'),
      'messaging.message.id': id,
      'account_api.job.attempt': attempt,
    },
    parent: { traceparent, tracestate },
    ...(tracelink !== undefined && { link: { traceparent: tracelink } }),
  });
  return runInSpan(span, work);
}
