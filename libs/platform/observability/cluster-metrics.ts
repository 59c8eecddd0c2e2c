import type { Worker } from 'node:cluster';
import { EventEmitter, once } from 'node:events';
import { AggregatorRegistry, type Registry } from 'prom-client';

type OwnMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Messages about metrics between the primary and its workers. */
type Message =
  /** From a worker that is scraped. */
  | { readonly kind: 'metrics.wanted' }
  | { readonly kind: 'metrics.asked' }
  | { readonly kind: 'metrics.own'; readonly metrics: OwnMetrics }
  | { readonly kind: 'metrics.sum'; readonly text: string };

/** Milliseconds that the primary waits for its workers; for a worker that hangs it takes the last metrics it has. */
const MAX_WORKER_WAIT = 2000;
/** Milliseconds that a worker waits for the sum. */
const MAX_SUM_WAIT = 4000;

/** The value of an event; undefined after the timeout. */
const within = (emitter: EventEmitter, event: string, milliseconds: number): Promise<unknown> =>
  once(emitter, event, { signal: AbortSignal.timeout(milliseconds) }).then(
    ([value]: unknown[]) => value,
    () => undefined,
  );

/** A worker's side: sends its metrics to the primary and gets the sum from it. */
export class WorkerMetrics {
  private readonly sums = new EventEmitter().setMaxListeners(0);

  constructor(own: Registry) {
    process.on('message', (message: Message) => {
      if (message.kind === 'metrics.sum') this.sums.emit('sum', message.text);
      if (message.kind !== 'metrics.asked') return;
      void own.getMetricsAsJSON().then((metrics) => send({ kind: 'metrics.own', metrics }));
    });
    // Registers this worker with the primary.
    send({ kind: 'metrics.own', metrics: [] });
  }

  /** The sum of all workers; undefined after the timeout. */
  text(): Promise<string | undefined> {
    send({ kind: 'metrics.wanted' });
    return within(this.sums, 'sum', MAX_SUM_WAIT) as Promise<string | undefined>;
  }
}

/**
 * The primary's side. prom-client's `clusterMetrics()` fails while one worker hangs, and forgets what a worker counted
 * when it ends: Prometheus takes a counter that falls for a new one and counts all of it again. So this class asks the
 * workers itself, keeps the last metrics of each and the counters of those that ended; prom-client adds them up.
 */
export class ClusterMetrics {
  private readonly last = new Map<Worker, OwnMetrics>();
  private ended: OwnMetrics = [];
  private readonly reports = new EventEmitter().setMaxListeners(0);

  /** Call it for each started worker. */
  add(worker: Worker): void {
    worker.on('message', (message: Message) => {
      if (message.kind === 'metrics.own' && !worker.isDead()) {
        this.last.set(worker, message.metrics);
        this.reports.emit(String(worker.id));
      }
      if (message.kind === 'metrics.wanted') {
        void this.text().then((text) => tell(worker, { kind: 'metrics.sum', text }));
      }
    });
    worker.once('exit', () => this.keepCounters(worker));
  }

  private async text(): Promise<string> {
    await Promise.all(
      [...this.last.keys()].map((worker) => {
        tell(worker, { kind: 'metrics.asked' });
        return within(this.reports, String(worker.id), MAX_WORKER_WAIT);
      }),
    );
    return AggregatorRegistry.aggregate([...this.last.values(), this.ended]).metrics();
  }

  private keepCounters(worker: Worker): void {
    const counters = (this.last.get(worker) ?? []).filter(({ type }) => GROWING.has(type));
    this.last.delete(worker);
    const sum = AggregatorRegistry.aggregate([this.ended, counters]);
    // Its types leave out that these are metrics as `getMetricsAsJSON` gives them.
    this.ended = sum.getMetricsAsArray() as unknown as OwnMetrics;
    this.reports.emit(String(worker.id));
  }
}

const GROWING: ReadonlySet<unknown> = new Set(['counter', 'histogram']);

const send = (message: Message): void => void process.send?.(message);
/** Ignores the error of a worker that is stopping. */
const tell = (worker: Worker, message: Message): void => void worker.send(message, () => undefined);
