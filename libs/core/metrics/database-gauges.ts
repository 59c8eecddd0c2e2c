import { Gauge, Registry } from 'prom-client';
import { priorityOf } from '../jobs/queue-job';
import type { DatabaseReading, JobCounts } from './database-reading';
import type { Read, Sample } from './samples';

/** Undefined where the database did not answer in time. */
type Source = DatabaseReading | undefined;

const ofJobs = (
  source: Source,
  value: (jobs: JobCounts) => number | null,
  labels: Readonly<Record<string, string>> = {},
): Sample[] =>
  (source?.jobs ?? []).flatMap((jobs) => {
    const measured = value(jobs);
    return measured === null
      ? []
      : [[{ task: jobs.task, priority: priorityOf(jobs.priority), ...labels }, measured]];
  });

const oneOf = (value: number | null | undefined): Sample[] =>
  value === null || value === undefined ? [] : [[{}, value]];

const READS: readonly Read<Source>[] = [
  {
    name: 'database_up',
    help: '1 where the database answered this scrape within 1.5 s; where it is 0 all that follow here are left out',
    labelNames: [],
    samples: (source) => oneOf(source === undefined ? 0 : 1),
  },
  {
    name: 'database_timeline',
    help: 'Timeline that the server writes: goes up with each failover',
    labelNames: [],
    samples: (source) => oneOf(source?.timeline),
  },
  {
    name: 'database_standbys',
    help: 'Standbys that are connected to the server',
    labelNames: [],
    samples: (source) => oneOf(source?.standbys),
  },
  {
    name: 'jobs_waiting',
    help: 'Jobs, mails among them, by task and priority: due now, or later (next try, next hour of a budget)',
    labelNames: ['task', 'priority', 'state'],
    samples: (source) => [
      ...ofJobs(source, ({ due }) => due, { state: 'due' }),
      ...ofJobs(source, ({ later }) => later, { state: 'later' }),
    ],
  },
  {
    name: 'jobs_oldest_due_seconds',
    help: 'How long the oldest due job has waited for a worker',
    labelNames: ['task', 'priority'],
    samples: (source) => ofJobs(source, ({ oldestDue }) => oldestDue),
  },
  {
    name: 'jobs_failed',
    help: 'Jobs that were given up after their last try',
    labelNames: ['task', 'priority'],
    samples: (source) => ofJobs(source, ({ failed }) => failed),
  },
];

/** What the database told for one scrape: what it did not tell is left out, not remembered from an earlier one. */
export function databaseGauges(source: Source): Promise<string> {
  const registry = new Registry();
  for (const { name, help, labelNames, samples } of READS) {
    const taken = samples(source);
    if (taken.length === 0) continue;
    const gauge = new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
    for (const [labels, value] of taken) gauge.set({ ...labels }, value);
  }
  return registry.metrics();
}
