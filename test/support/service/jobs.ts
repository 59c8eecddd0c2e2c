import type { Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { Outbox } from '@app/mail/outbox';
import { JOB_LIMITS } from '@app/platform/database/database-limits';
import { DatabasePool } from '@app/platform/database/database-pool';
import { Transactions } from '@app/platform/database/transactions';
import type { JobHandler } from '@app/platform/jobs/job-handler';
import { JobRunner } from '@app/platform/jobs/job-runner';
import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { RequestContext } from '@app/security/context/request-context';
import type { ReachableService, TestService } from './service';

/** The context of what a test does by itself. */
export const TEST_CONTEXT = RequestContext.forCommand('test', 'test');

/** Does it in a transaction of the service. */
export const inTransaction = <Result>(
  { app }: TestService,
  work: (manager: EntityManager) => Promise<Result>,
): Promise<Result> => app.get(Transactions).run(TEST_CONTEXT, work);

/** Queues the mail of an invitation, as an acknowledged request leaves it behind. */
export const queueMail = ({ app }: TestService, manager: EntityManager, to: string): Promise<void> =>
  app.get(Outbox).queue(manager, {
    template: 'invitation',
    to,
    organisationId: 1,
    language: 'en',
    values: { organisation: 'Bakkerij', inviter: 'Anna Smit', endDate: '1 juli' },
    secrets: { link: 'https://panel.example/invitation' },
  });

/**
 * Does every job of the service that is due. Tests run without a worker unless `settings: {
 * worker: true }` asks for one.
 */
export const runJobs = (service: TestService): Promise<void> =>
  service.app.get(JobRunner).runDue(jobConnectionsOf(service));

/** Of each service: a test asks for jobs dozens of times, and connecting takes longer than most jobs. */
const jobConnections = new WeakMap<TestService['app'], DatabasePool>();

function jobConnectionsOf({ app, database }: TestService): DatabasePool {
  const known = jobConnections.get(app);
  if (known !== undefined) return known;
  const connectionString = app.get(Settings).databaseDirectUrl ?? database.url;
  // Not the name of a worker: commands look for one.
  const pool = new DatabasePool({
    connectionString,
    max: 5,
    limits: JOB_LIMITS,
    applicationName: 'account-api-tests',
  });
  jobConnections.set(app, pool);
  const close = app.close.bind(app);
  app.close = async () => {
    if (!pool.ending) await pool.end();
    await close();
  };
  return pool;
}

/** Does one job that was never queued. */
export const runJob = (
  service: TestService,
  handler: Type<JobHandler>,
  payload: unknown = {},
): Promise<void> =>
  service.app.get(handler, { strict: false }).run(payload, {
    ctx: TEST_CONTEXT,
    id: '1',
    key: undefined,
    attempt: 1,
    queuedAt: new Date(),
    priority: 'bulk',
    isLastTry: false,
  });

export const deleteJobs = ({ sql }: ReachableService): Promise<unknown> => sql(`DELETE FROM ${JOB_TABLE}`);

/** Retries that wait are due at once. */
export const makeJobsDue = ({ sql }: ReachableService): Promise<unknown> =>
  sql(`UPDATE ${JOB_TABLE} SET run_at = now()`);

/** The tasks that graphile-worker runs by the clock. */
export async function timetableOf({ sql }: ReachableService): Promise<string[]> {
  const rows = await sql<{ identifier: string }>(
    'SELECT identifier FROM graphile_worker._private_known_crontabs ORDER BY 1',
  );
  return rows.map(({ identifier }) => identifier);
}
