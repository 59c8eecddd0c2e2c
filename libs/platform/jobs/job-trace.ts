import {
  continueTrace,
  inSpan,
  type SpanOptions,
  type TraceHeaders,
  traceHeaders,
} from '../observability/tracing';
import type { RunningJob } from './job-handler';

/** The trace that wrote a job, in its payload. Handlers and older builds ignore it. */
interface TracedPayload extends TraceHeaders {
  /** The `traceparent` for jobs from one {@link linkToTrace}: each job has its own trace. */
  readonly tracelink?: string;
}

/**
 * Links many jobs to the trace that wrote them, because one trace with a thousand mails is
 * too large for any viewer.
 */
export function linkToTrace(): TracedPayload {
  const { traceparent } = traceHeaders();
  return traceparent === undefined ? {} : { tracelink: traceparent };
}

const attributesOf = (task: string, operation: 'send' | 'process'): SpanOptions['attributes'] => ({
  'messaging.system': 'graphile_worker',
  'messaging.destination.name': task,
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
});

/** Writes a job in a span. */
export const inSendingSpan = (task: string, work: () => Promise<unknown>): Promise<unknown> =>
  inSpan(`send ${task}`, { kind: 'PRODUCER', attributes: attributesOf(task, 'send') }, work);

/** Runs a job in the trace that its payload names, or in a new one. */
export function inProcessingSpan(
  task: string,
  payload: unknown,
  { id, attempt }: RunningJob,
  work: () => Promise<void>,
): Promise<void> {
  const { tracelink, ...parent } = (payload ?? {}) as TracedPayload;
  const link = tracelink === undefined ? undefined : { traceparent: tracelink };
  const attributes = {
    ...attributesOf(task, 'process'),
    'messaging.message.id': id,
    'account_api.job.attempt': attempt,
  };
  return continueTrace({ parent, link }, `process ${task}`, { kind: 'CONSUMER', attributes }, work);
}
