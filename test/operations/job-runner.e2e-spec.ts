/** @jest-environment node */
import type * as GraphileRunner from 'graphile-worker/dist/runner';
import { JobRunner } from '@app/platform/jobs/job-runner';
import { JOB_TABLE, TASK_TABLE } from '@app/platform/jobs/job-tables';
import { startMailServer, type TestMailServer } from '../support/faults/smtp';
import { SOURCE_FILES } from '../support/generators/table-owners';
import { inTransaction, queueMail } from '../support/service/jobs';
import { logLinesOf, settingsOn, useServiceProcesses } from '../support/service/processes';
import {
  startTestService,
  type TestService,
  useService,
  useServicePerTest,
} from '../support/service/service';
import { until } from '../support/service/until';

/**
 * How many runners of graphile-worker were asked for, and which of them cannot start, as
 * where the database breaks.
 */
let starts = 0;
let failingStart = 0;
jest.mock('graphile-worker/dist/runner', () => {
  const library = jest.requireActual<typeof GraphileRunner>('graphile-worker/dist/runner');
  const run: typeof library.run = (options) => {
    starts++;
    return starts === failingStart ? Promise.reject(new Error('The database broke')) : library.run(options);
  };
  return { ...library, run };
});

/** The names of the classes that extend one; of an abstract class, the names of its own subclasses. */
const classesOf = (base: string): string[] =>
  SOURCE_FILES.flatMap(({ text }) =>
    [...text.matchAll(/(abstract )?class (\w+) extends (\w+)/g)].flatMap(
      ([, abstract, name = '', extended]) => {
        if (extended !== base) return [];
        return abstract === undefined ? [name] : classesOf(name);
      },
    ),
  );

describe('JobRunner', () => {
  const service = useService('A');

  it('finds every class that extends JobHandler', () => {
    const declared = classesOf('JobHandler');
    expect(declared.length).toBeGreaterThan(5);
    const found = [...service.app.get(JobRunner).handlers.values()].map(
      ({ constructor }) => constructor.name,
    );
    expect(found.sort()).toEqual(declared.sort());
  });
});

describe('the jobs of JobRunner', () => {
  let server: TestMailServer;
  beforeEach(async () => {
    [starts, failingStart] = [0, 0];
    server = await startMailServer();
  });
  const service = useServicePerTest('A');
  afterEach(() => server.stop());
  const queue = (): Promise<void> =>
    inTransaction(service, (manager) => queueMail(service, manager, 'jan@example.nl'));
  const startWorker = (): Promise<TestService> =>
    startTestService('A', {
      settings: { smtpUrl: server.url, worker: true, logLevel: 'debug' },
      database: service.database,
    });

  it('run after the next start of all where its second runner could not start', async () => {
    failingStart = 2;
    const worker = await startWorker();
    try {
      await until(() => starts === 2);
      await queue();
      await until(() => starts === 5 && server.mails.length === 1);
    } finally {
      await worker.stop();
    }
  });

  it('leave no warning in the log when one sends a mail', async () => {
    await using worker = await startWorker();
    await queue();
    await until(() => server.mails.length === 1);
    const warnings = worker.logLines.filter((line) => /"level":(?:40|50)/.test(line));
    expect(warnings.filter((line) => line.includes('"source":"jobs"'))).toEqual([]);
  });

  it('run after the next start of all where its runner could not learn the numbers of its tasks', async () => {
    await service.sql(`ALTER TABLE ${TASK_TABLE} RENAME TO tasks_away`);
    await using worker = await startWorker();
    await until(() => worker.logLines.some((line) => line.includes('Failed to acquire job')));
    await service.sql(`ALTER TABLE graphile_worker.tasks_away RENAME TO ${TASK_TABLE.split('.')[1]}`);
    await queue();
    await until(() => server.mails.length === 1);
  });
});

describe('JobRunner with a job whose end is not recorded because of a deadlock', () => {
  const MAILS = 4;
  let server: TestMailServer;
  beforeEach(async () => {
    server = await startMailServer();
    server.hold(true);
  });
  const service = useServicePerTest('A');
  afterEach(() => server.stop());

  const queue = (to: string): Promise<void> =>
    inTransaction(service, (manager) => queueMail(service, manager, to));
  const jobs = async (): Promise<number> => {
    const [{ count } = { count: -1 }] = await service.sql<{ count: number }>(
      `SELECT count(*)::integer AS count FROM ${JOB_TABLE} WHERE payload->>'source' = 'stored'`,
    );
    return count;
  };
  const breakDeletions = (): Promise<unknown> =>
    service.sql(`
      CREATE FUNCTION break_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$;
      CREATE TRIGGER break_deletion BEFORE DELETE ON ${JOB_TABLE}
        FOR EACH ROW EXECUTE FUNCTION break_deletion()`);
  const mendDeletions = (): Promise<unknown> =>
    service.sql(`DROP TRIGGER break_deletion ON ${JOB_TABLE}; DROP FUNCTION break_deletion()`);

  /** Of several mails in hand, the first cannot be recorded. The others are accepted one by one after it. */
  async function failOneOf(output: () => string): Promise<void> {
    for (let index = 0; index < MAILS; index++) await queue(`to${index}@example.nl`);
    await until(() => server.held() === MAILS);
    await breakDeletions();
    server.acceptOne();
    await until(() => output().includes('Failed to complete jobs'));
    await mendDeletions();
  }
  async function acceptOthers(): Promise<void> {
    for (let left = MAILS - 1; left > 0; left--) {
      server.acceptOne();
      await until(async () => (await jobs()) < left);
    }
    server.hold(false);
  }

  it('starts the jobs of its process again, and no mail is sent twice', async () => {
    await using worker = await startTestService('A', {
      settings: { smtpUrl: server.url, worker: true },
      database: service.database,
    });
    const output = (): string => worker.logLines.join('\n');
    await failOneOf(output);
    await acceptOthers();
    await queue('after@example.nl');
    await until(() => server.mailsTo('after@example.nl').length === 1);
    await until(async () => (await jobs()) === 0);
    expect(server.mails).toHaveLength(MAILS + 1);
    expect(logLinesOf(output())).toContainEqual(
      expect.objectContaining({ level: 50, msg: 'jobs stopped running, will start again' }),
    );
  });

  const startProcess = useServiceProcesses();

  it('stops at SIGINT, and records it', async () => {
    const { address, ended, output, child } = startProcess(
      settingsOn(service.database.url, { SMTP_URL: server.url }),
    );
    await address;
    await failOneOf(output);
    child.kill('SIGINT');
    await until(() => output().includes('"stopping: '));
    await acceptOthers();
    expect(await ended).toMatchObject({ status: 0 });
    expect(output()).toContain('"stopped"');
    expect(await jobs()).toBe(0);
    expect(server.mails).toHaveLength(MAILS);
  });
});
