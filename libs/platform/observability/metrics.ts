import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** How a request ended, for operators. A denial is not an error, even with status 500. */
type Outcome = 'success' | 'refused' | 'denied' | 'unavailable' | 'fault';

const DENIALS = new Set([401, 403, 404, 405, 429]);

function outcomeOf(status: number, reason: unknown): Outcome {
  if (status < 400) return 'success';
  // The 500 of a missing role is a denial like 403.
  if (DENIALS.has(status) || reason === 'ROLE_REQUIRED') return 'denied';
  if (status < 500 || status === 501) return 'refused';
  return status === 503 ? 'unavailable' : 'fault';
}

/** The data of a request for the metrics. */
interface EndedRequest {
  readonly method: string;
  /** The route's pattern, never the path itself. */
  readonly route: string;
  readonly status: number;
  /** The reason of the error body, if any. */
  readonly reason: string | undefined;
  /** Absent if the start of the request is unknown. */
  readonly seconds?: number;
}

/** Prometheus metrics of this process. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  private readonly requests = new Counter({
    name: 'http_requests_total',
    help: 'Answered requests by route, status and outcome; denials are counted apart from faults',
    labelNames: ['method', 'route', 'status', 'outcome'],
    registers: [this.registry],
  });

  private readonly durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Counts and times one request that has ended. */
  observe({ method, route, status, reason, seconds }: EndedRequest): void {
    this.requests.inc({ method, route, status, outcome: outcomeOf(status, reason) });
    if (seconds !== undefined) this.durations.observe({ method, route }, seconds);
  }
}
