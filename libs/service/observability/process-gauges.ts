import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Settings } from '@app/config/settings';
import type { Read, Sample } from '@app/lifecycle/table-gauges';
import { mailConnections, mailFailures } from '@app/mail/smtp-connections';
import { MIGRATIONS } from '@app/migrations/all';
import { Bulkheads } from '@app/platform/concurrency/bulkheads';
import type { Load } from '@app/platform/concurrency/concurrency-limiter';
import { connectionsLost, LOSS_CAUSES } from '@app/platform/database/connection-errors';
import { type PoolState, poolStates } from '@app/platform/database/database-pool';
import { Transactions } from '@app/platform/database/transactions';
import { Metrics } from '@app/platform/observability/metrics';
import { BUILD } from '@app/platform/process/build';
import { PasswordHasher } from '@app/security/passwords/password-hasher';
import { Throttler } from '@app/security/throttling/throttler';

interface ProcessRead extends Read<ProcessGauges> {
  /** Whether the value only increases. */
  readonly isCounter?: boolean;
}

/** Names of the pools for operators, by the application name of their connections. */
const POOLS: Readonly<Record<string, string>> = {
  'account-api': 'requests',
  'account-api reads': 'reads',
  'account-api-jobs': 'jobs',
};

function ofPools(
  value: (state: PoolState) => number,
  labels: Readonly<Record<string, string>> = {},
): Sample[] {
  const states = poolStates();
  return Object.entries(POOLS).flatMap(([applicationName, pool]) => {
    const named = states.filter((state) => state.applicationName === applicationName);
    const sum = named.reduce((total, state) => total + value(state), 0);
    return named.length === 0 ? [] : [[{ pool, ...labels }, sum]];
  });
}

const ofLoad = ({ running, waiting }: Load): Sample[] => [
  [{ state: 'running' }, running],
  [{ state: 'waiting' }, waiting],
];

/** Limits that always have a sample, so that a panel is not empty before the first refusal. */
const COMMON_LIMITS = ['password by network', 'public call'];

const READS: readonly ProcessRead[] = [
  {
    name: 'account_api_info',
    help: 'Always 1; the labels tell the build, the newest migration that it knows and the variant',
    labelNames: ['version', 'schema', 'node', 'variant'],
    samples: ({ settings: { variant } }) => [
      [{ version: BUILD.version, schema: MIGRATIONS.at(-1)?.name ?? '', node: BUILD.node, variant }, 1],
    ],
  },
  {
    name: 'database_pool_connections',
    help: 'Open database connections by pool (requests, reads, jobs) and state (busy, idle)',
    labelNames: ['pool', 'state'],
    samples: () => [
      ...ofPools(({ busy }) => busy, { state: 'busy' }),
      ...ofPools(({ idle }) => idle, { state: 'idle' }),
    ],
  },
  {
    name: 'database_pool_max',
    help: 'Most connections that the pool may open',
    labelNames: ['pool'],
    samples: () => ofPools(({ max }) => max),
  },
  {
    name: 'database_pool_waiting',
    help: 'Work that waits for a connection of the pool',
    labelNames: ['pool'],
    samples: () => ofPools(({ waiting }) => waiting),
  },
  {
    name: 'database_transactions',
    help: 'Transactions that run, and that wait for one of the places of writes',
    labelNames: ['state'],
    samples: ({ transactions }) => ofLoad(transactions.load),
  },
  {
    name: 'database_connections_lost_total',
    help: 'Connections thrown away: server silent, turned read_only, refused as standby, broken',
    labelNames: ['cause'],
    isCounter: true,
    samples: () => LOSS_CAUSES.map((cause) => [{ cause }, connectionsLost(cause)]),
  },
  {
    name: 'password_hashing',
    help: 'Passwords that are being hashed, and that wait for it',
    labelNames: ['state'],
    samples: ({ hasher }) => ofLoad(hasher.load),
  },
  {
    name: 'bulkhead_work',
    help: 'Work that runs, and that waits, in each bulkhead of docs/limits.md',
    labelNames: ['bulkhead', 'state'],
    samples: ({ bulkheads }) =>
      bulkheads.all.flatMap(({ bulkhead, load }) =>
        ofLoad(load).map(([labels, value]): Sample => [{ bulkhead: bulkhead.name, ...labels }, value]),
      ),
  },
  {
    name: 'bulkhead_work_max',
    help: 'Most work that may run at once in the bulkhead',
    labelNames: ['bulkhead'],
    samples: ({ bulkheads }) =>
      bulkheads.all.map(({ bulkhead, limit }) => [{ bulkhead: bulkhead.name }, limit]),
  },
  {
    name: 'bulkhead_refusals_total',
    help: 'Work that was refused: the queue of the bulkhead or a quota was full, or the wait too long',
    labelNames: ['bulkhead'],
    isCounter: true,
    samples: ({ bulkheads }) =>
      bulkheads.all.map(({ bulkhead, load }) => [{ bulkhead: bulkhead.name }, load.refused]),
  },
  {
    name: 'mail_connections',
    help: 'Connections to the mail server that a mail is using',
    samples: () => [[{}, mailConnections().busy]],
  },
  {
    name: 'mail_connections_max',
    help: 'Most connections to the mail server; fewer for a while after it turned some away, 0 before the first mail',
    samples: () => [[{}, mailConnections().most]],
  },
  {
    name: 'mail_failures_total',
    help: 'Tries of mails that failed, by the code of the answer of the mail server; none without an answer',
    labelNames: ['code'],
    isCounter: true,
    samples: () => [...new Map([['none', 0], ...mailFailures()])].map(([code, count]) => [{ code }, count]),
  },
  {
    name: 'throttled_subjects',
    help: 'Names, networks and users that this process has turned away and that have to wait, by kind of limit',
    labelNames: ['kind'],
    samples: ({ throttler }) => {
      const counts = throttler.refused.counts();
      const kinds = new Set([...COMMON_LIMITS, ...counts.keys()]);
      return [...kinds].map((kind) => [{ kind }, counts.get(kind) ?? 0]);
    },
  },
];

/** Metrics of the process that are read at each scrape. Requests do not pay for them. */
@Injectable()
export class ProcessGauges {
  constructor(
    { registry }: Metrics,
    readonly settings: Settings,
    readonly transactions: Transactions,
    readonly hasher: PasswordHasher,
    readonly throttler: Throttler,
    readonly bulkheads: Bulkheads,
  ) {
    for (const { name, help, labelNames = [], isCounter = false, samples } of READS) {
      const read = (metric: Gauge | Counter): void => {
        metric.reset();
        for (const [labels, value] of samples(this)) metric.inc({ ...labels }, value);
      };
      const options = { name, help, labelNames: [...labelNames], registers: [registry] };
      const metric: Gauge | Counter = isCounter
        ? new Counter({ ...options, collect: () => read(metric) })
        : new Gauge({ ...options, collect: () => read(metric) });
    }
  }
}
