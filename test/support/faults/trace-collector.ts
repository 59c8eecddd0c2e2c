import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP's JSON has it. */
interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly OtlpAttribute[];
  readonly status: { readonly code: number };
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface OtlpMessage {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

const KINDS = ['unset', 'internal', 'server', 'client', 'producer', 'consumer'];

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Attributes of the process that it is from. */
  readonly resource: Readonly<Record<string, unknown>>;
  readonly isFailed: boolean;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

/** Takes traces by OTLP over HTTP, as OpenTelemetry's collector does. */
export interface TraceCollector {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** What came, letter by letter, with what it came to. */
  readonly messages: {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly text: string;
  }[];
  /** Leaves messages without an answer until it is called with false. */
  hang(on: boolean): void;
  /** How many are without an answer. */
  readonly unanswered: () => number;
  /** The spans of a trace. */
  trace(traceId: string): ReceivedSpan[];
  /** Names on the way to a span from the first that is here, by parents. */
  wayTo(span: ReceivedSpan | undefined): string[];
  /** Names of the spans beneath one. */
  beneath(span: ReceivedSpan | undefined): string[];
  stop(): Promise<void>;
}

/** Starts one on this machine; port 0 takes a free one. */
export async function startTraceCollector(port = 0): Promise<TraceCollector> {
  const spans: ReceivedSpan[] = [];
  const messages: TraceCollector['messages'] = [];
  const unanswered = new Set<ServerResponse>();
  let isHanging = false;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (isHanging) {
        unanswered.add(response.once('close', () => unanswered.delete(response)));
        return;
      }
      const text = Buffer.concat(parts).toString();
      messages.push({ path: request.url ?? '', headers: request.headers, text });
      spans.push(...spansOf(JSON.parse(text) as OtlpMessage));
      response.setHeader('Content-Type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const parentOf = ({ parentId }: ReceivedSpan): ReceivedSpan | undefined =>
    spans.find(({ spanId }) => spanId === parentId);
  const wayTo = (span: ReceivedSpan | undefined): string[] =>
    span === undefined ? [] : [...wayTo(parentOf(span)), span.name];
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    messages,
    hang: (on) => void (isHanging = on),
    unanswered: () => unanswered.size,
    trace: (wanted) => spans.filter(({ traceId }) => traceId === wanted),
    wayTo,
    beneath: (span) => spans.filter(({ parentId }) => parentId === span?.spanId).map(({ name }) => name),
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

const spansOf = ({ resourceSpans }: OtlpMessage): ReceivedSpan[] =>
  resourceSpans
    .flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) =>
        spans.map((span) => ({ span, resource: valuesOf(resource.attributes) })),
      ),
    )
    .map(({ span, resource }) => ({
      traceId: span.traceId,
      spanId: span.spanId,
      parentId: span.parentSpanId,
      name: span.name,
      kind: KINDS[span.kind],
      attributes: valuesOf(span.attributes),
      resource,
      isFailed: span.status.code === 2,
      links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
    }));

/** Each value stands under the name of its type. */
const valuesOf = (attributes: readonly OtlpAttribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
