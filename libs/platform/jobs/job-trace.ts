import { continueTrace, inSpan, type SpanOptions, type TraceHeaders } from '../observability/tracing';
import type { RunningJob } from './job-handler';

const attributesOf = (task: string, operation: 'send' | 'process'): SpanOptions['attributes'] => ({
  'messaging.system': 'graphile_worker',
  'messaging.destination.name': task,
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
});

/** Writes a job in a span. */
export const inSendingSpan = (task: string, work: () => Promise<unknown>): Promise<unknown> =>
  inSpan(`send ${task}`, { kind: 'PRODUCER', attributes: attributesOf(task, 'send') }, work);

/** Runs a job in the trace that its payload names (older builds ignore it), or in a new one. */
export function inProcessingSpan(
  task: string,
  payload: unknown,
  { id, attempt }: RunningJob,
  work: () => Promise<void>,
): Promise<void> {
  const attributes = {
    ...attributesOf(task, 'process'),
    'messaging.message.id': id,
    'account_api.job.attempt': attempt,
  };
  return continueTrace(
    (payload ?? {}) as TraceHeaders,
    `process ${task}`,
    { kind: 'CONSUMER', attributes },
    work,
  );
}
