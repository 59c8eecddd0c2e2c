import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import type { Read, Sample, TableGauges } from '@app/lifecycle/table-gauges';
import { SEND_MAIL } from '@app/mail/mail-jobs';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { type JobPriority, priorityOf } from '@app/platform/jobs/job-priorities';
import { countJobs } from '@app/platform/jobs/job-tables';
import { LARGEST_SHARE } from '../deployment/used-ids';
import { TABLE_RULES } from '../extensions.module';

/** Milliseconds that a scrape waits for the database. Prometheus gives up after ten seconds. */
const MAX_WAIT = 1500;

/** Milliseconds for which a reading is reused, however frequent the scrapes are. */
const SHELF_LIFE = 1000;

/** Maximum jobs, and maximum rows of a table, counted per scrape. */
const MAX_COUNTED = 100_000;

/** Jobs of one task and priority. */
export interface JobCounts {
  readonly task: string;
  readonly priority: number;
  readonly due: number;
  readonly later: number;
  readonly failed: number;
  /** Seconds for which the oldest due job has waited for a worker. */
  readonly oldestDue: number | null;
  /** Seconds since the oldest job was written that has tries left. */
  readonly oldest: number | null;
}

export interface DatabaseReading {
  /** Increases by one with each failover. */
  readonly timeline: number | null;
  readonly standbys: number;
  /** The share of its ids that the table has given out which has given out most. */
  readonly usedIds: number | null;
  readonly jobs: readonly JobCounts[];
  /** The figures of each table that has gauges. */
  readonly tables: Readonly<Record<string, never>>;
}

const TABLE_GAUGES: readonly (readonly [table: string, gauges: TableGauges])[] = TABLE_RULES.flatMap(
  ({ table, gauges }) => (gauges === undefined ? [] : [[table, gauges] as const]),
);

/** SQL for an object with the figures of each table. */
const FIGURES = `json_build_object(${TABLE_GAUGES.map(
  ([table, { counted }]) =>
    `'${table}', (SELECT row_to_json(counted) FROM (${counted(MAX_COUNTED)}) counted)`,
).join(', ')})`;

const READ = prepared<DatabaseReading>(`
  SELECT CASE WHEN NOT pg_is_in_recovery()
      THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer END AS timeline,
    (SELECT count(*)::integer FROM pg_stat_replication) AS standbys,
    (${LARGEST_SHARE}) AS "usedIds",
    (SELECT coalesce(json_agg(counted), '[]') FROM (${countJobs(MAX_COUNTED)}) counted) AS jobs,
    ${FIGURES} AS tables`);

/** Reads metrics of the database, with one statement and only during a scrape. */
@Injectable()
export class DatabaseReadings {
  private reading: Promise<DatabaseReading | undefined> | undefined;
  private readAt = 0;

  constructor(private readonly queries: DatabaseReads) {}

  /** Undefined if the database does not respond in time. */
  read(): Promise<DatabaseReading | undefined> {
    return Promise.race([this.current(), pause(MAX_WAIT, undefined, { ref: false })]);
  }

  /** One read at a time: scrapes of a database that does not answer must not occupy a connection each. */
  private current(): Promise<DatabaseReading | undefined> {
    if (this.reading !== undefined && performance.now() - this.readAt < SHELF_LIFE) return this.reading;
    this.readAt = Infinity;
    this.reading = this.queries
      .row<DatabaseReading>(READ, [])
      .catch(() => undefined)
      .finally(() => {
        this.readAt = performance.now();
      });
    return this.reading;
  }
}

type Source = DatabaseReading | undefined;

/** Mails have samples even if none waits, because a panel without samples looks broken. */
const MAIL_JOBS: readonly { readonly task: string; readonly priority: JobPriority }[] = [
  { task: SEND_MAIL, priority: 'urgent' },
  { task: SEND_MAIL, priority: 'invitation' },
  { task: SEND_MAIL, priority: 'bulk' },
];

const ofJobs = (
  source: Source,
  value: (jobs: JobCounts) => number | null,
  labels: Readonly<Record<string, string>> = {},
): Sample[] => {
  if (source === undefined) return [];
  const samples = source.jobs.map((jobs): Sample => {
    const { task, priority } = jobs;
    return [{ task, priority: priorityOf(priority), ...labels }, value(jobs) ?? 0];
  });
  const absent = MAIL_JOBS.filter(
    (mail) => !samples.some(([{ task, priority }]) => task === mail.task && priority === mail.priority),
  );
  return [...samples, ...absent.map((mail): Sample => [{ ...mail, ...labels }, 0])];
};

const oneOf = (value: number | null | undefined): Sample[] =>
  value === null || value === undefined ? [] : [[{}, value]];

const READS: readonly Read<Source>[] = [
  {
    name: 'database_up',
    help: '1 where the database answered this scrape within 1.5 s; where it is 0 all that follow here are left out',
    samples: (source) => oneOf(source === undefined ? 0 : 1),
  },
  {
    name: 'database_timeline',
    help: 'Timeline that the server writes: goes up with each failover',
    samples: (source) => oneOf(source?.timeline),
  },
  {
    name: 'database_standbys',
    help: 'Standbys that are connected to the server',
    samples: (source) => oneOf(source?.standbys),
  },
  {
    name: 'database_ids_used_ratio',
    help: 'Share of its ids that a table has given out, of the table with the largest; at 1 it takes no rows',
    samples: (source) => oneOf(source?.usedIds),
  },
  {
    name: 'jobs_waiting',
    help: 'Jobs, mails among them, by task and priority: due now, or later (next try, end of an hour)',
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
    name: 'jobs_oldest_seconds',
    help: 'How long ago the oldest job was written that waits for its first or next try',
    labelNames: ['task', 'priority'],
    samples: (source) => ofJobs(source, ({ oldest }) => oldest),
  },
  {
    name: 'jobs_failed',
    help: 'Jobs that were given up after their last try',
    labelNames: ['task', 'priority'],
    samples: (source) => ofJobs(source, ({ failed }) => failed),
  },
  ...TABLE_GAUGES.flatMap(([table, { reads }]) =>
    reads.map(({ samples, ...read }) => ({
      ...read,
      samples: (source: Source) => (source === undefined ? [] : samples(source.tables[table] as never)),
    })),
  ),
];

/** The metrics of one reading, without unknown values. */
export function databaseGauges(source: Source): Promise<string> {
  const registry = new Registry();
  for (const { name, help, labelNames = [], samples } of READS) {
    const taken = samples(source);
    if (taken.length === 0) continue;
    const gauge = new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
    for (const [labels, value] of taken) gauge.set({ ...labels }, value);
  }
  return registry.metrics();
}
