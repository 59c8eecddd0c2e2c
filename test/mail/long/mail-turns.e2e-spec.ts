import { queueJob } from '@app/platform/jobs/queue-job';
import { makeCustomer } from '../../support/factories/factories';
import { makeContact } from '../../support/factories/records';
import { useMailServer } from '../../support/faults/smtp';
import { inTransaction, makeJobsDue, queueMail, runJobs } from '../../support/service/jobs';
import { startTestService, useService } from '../../support/service/service';
import { until } from '../../support/service/until';

const server = useMailServer();
const service = useService('A', () => ({ settings: { smtpUrl: server.url } }));
beforeEach(() => void (server.mails.length = 0));

const startWorker = () =>
  startTestService('A', {
    settings: { smtpUrl: server.url, worker: true },
    database: service.database,
  });

const jobsOf = async (task: string): Promise<number> => {
  const [row] = await service.sql<{ count: number }>(
    `SELECT count(*)::integer AS count FROM graphile_worker.jobs WHERE task_identifier = '${task}'`,
  );
  return row?.count ?? 0;
};

it('POST …/notifications: the mail of another organisation goes before the hundredth of one', async () => {
  const [many, other] = [await makeCustomer(service), await makeCustomer(service)];
  const notify = ({ organisationId, custadmin }: typeof many) =>
    custadmin.client
      .post(`/organisations/${organisationId}/notifications`, { type: 'x', group: 'App' })
      .expect(201);
  for (let count = 0; count < 50; count++) {
    await makeContact(service, {
      organisationId: many.organisationId,
      name: `c${count}@many.example`,
      groups: ['App'],
    });
  }
  await makeContact(service, {
    organisationId: other.organisationId,
    name: 'other@else.example',
    groups: ['App'],
  });
  await notify(many);
  await notify(many);
  await notify(other);
  await runJobs(service);
  const order = server.mails.flatMap(({ to }) => to);
  expect(order.filter((to) => to.endsWith('@many.example'))).toHaveLength(100);
  expect(order.indexOf('other@else.example')).toBeLessThan(60);
});

it('the worker does other jobs while the mail server answers none, and stops in time, without a loss', async () => {
  server.hold(true);
  const addresses = Array.from({ length: 15 }, (_, index) => `held${index}@example.nl`);
  for (const to of addresses) {
    await inTransaction(service, (manager) => queueMail(service, manager, to));
  }
  const before = server.connections();
  const worker = await startWorker();
  await until(() => server.connections() === before + 10);
  await inTransaction(service, (manager) =>
    queueJob(manager, { task: 'upkeep.clean', payload: {}, priority: 'bulk' }),
  );
  await until(async () => (await jobsOf('upkeep.clean')) === 0);
  expect(server.mails).toEqual([]);
  const begun = performance.now();
  await worker.stop();
  expect(performance.now() - begun).toBeLessThan(15_000);
  expect(await jobsOf('mail.send')).toBe(15);
  server.hold(false);
  await makeJobsDue(service);
  await runJobs(service);
  expect(await jobsOf('mail.send')).toBe(0);
  // The server had taken ten before, and did not say so. Their ids say that they are the same.
  expect(new Set(server.mails.flatMap(({ to }) => to)).size).toBe(15);
  expect(new Set(server.mails.map(({ headers }) => headers.get('message-id'))).size).toBe(15);
});
