import type * as GraphileRunner from 'graphile-worker/dist/runner';
import { Transactions } from '@app/core/database/transactions';
import { Outbox } from '@app/core/mail/outbox';
import { startTestService, type TestService } from './support/service';
import { startMailServer, type TestMailServer } from './support/smtp';
import { until } from './support/until';

/** How many runners of graphile-worker were asked for, and which of them can not start, as where the database breaks. */
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

const queueMail = (service: TestService): Promise<void> =>
  service.app.get(Transactions).run((manager) =>
    service.app.get(Outbox).queue(manager, {
      template: 'invitation',
      to: 'jan@example.nl',
      language: 'en',
      values: { firstName: 'Jan', organisation: 'Bakkerij', inviter: 'Anna Smit', endDate: '1 juli' },
      secrets: { link: 'https://panel.example/invitation' },
    }),
  );

describe('jobs of a process', () => {
  let server: TestMailServer;
  let service: TestService;
  beforeEach(async () => {
    [starts, failingStart] = [0, 0];
    server = await startMailServer();
    service = await startTestService('A');
  });
  afterEach(async () => {
    await service.stop();
    await server.stop();
  });
  const startWorker = (): Promise<TestService> =>
    startTestService('A', {
      settings: { smtpUrl: server.url, worker: true, logLevel: 'debug' },
      database: service.database,
    });

  it('whose second runner could not start run after the next start of both', async () => {
    failingStart = 2;
    const worker = await startWorker();
    try {
      await until(() => starts === 2);
      await queueMail(service);
      await until(() => starts === 4 && server.mails.length === 1);
    } finally {
      await worker.stop();
    }
  });

  it('whose runner could not learn the numbers of its tasks run after the next start of both', async () => {
    await service.sql('ALTER TABLE graphile_worker._private_tasks RENAME TO tasks_away');
    const worker = await startWorker();
    try {
      await until(() => worker.logLines.some((line) => line.includes('Failed to acquire job')));
      await service.sql('ALTER TABLE graphile_worker.tasks_away RENAME TO _private_tasks');
      await queueMail(service);
      await until(() => server.mails.length === 1);
    } finally {
      await worker.stop();
    }
  });
});
