/** @jest-environment node */
import type * as GraphileRunner from 'graphile-worker/dist/runner';
import { JobRunner } from '@app/platform/jobs/job-runner';
import { TASK_TABLE } from '@app/platform/jobs/job-tables';
import { startMailServer, type TestMailServer } from '../support/faults/smtp';
import { SOURCE_FILES } from '../support/generators/table-owners';
import { inTransaction, queueMail } from '../support/service/jobs';
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

describe('the handlers of jobs', () => {
  const service = useService('A');

  it('are all found', () => {
    const declared = classesOf('JobHandler');
    expect(declared.length).toBeGreaterThan(10);
    const found = [...service.app.get(JobRunner).handlers.values()].map(
      ({ constructor }) => constructor.name,
    );
    expect(found.sort()).toEqual(declared.sort());
  });
});

describe('jobs of a process', () => {
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

  it('whose second runner could not start run after the next start of all', async () => {
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

  it('that starts and sends a mail warns of nothing', async () => {
    await using worker = await startWorker();
    await queue();
    await until(() => server.mails.length === 1);
    const warnings = worker.logLines.filter((line) => /"level":(?:40|50)/.test(line));
    expect(warnings.filter((line) => line.includes('"source":"jobs"'))).toEqual([]);
  });

  it('whose runner could not learn the numbers of its tasks run after the next start of all', async () => {
    await service.sql(`ALTER TABLE ${TASK_TABLE} RENAME TO tasks_away`);
    await using worker = await startWorker();
    await until(() => worker.logLines.some((line) => line.includes('Failed to acquire job')));
    await service.sql(`ALTER TABLE graphile_worker.tasks_away RENAME TO ${TASK_TABLE.split('.')[1]}`);
    await queue();
    await until(() => server.mails.length === 1);
  });
});
