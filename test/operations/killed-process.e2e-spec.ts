import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { makeCustomer } from '../support/factories/factories';
import { startReceiver } from '../support/faults/receiver';
import { startMailServer, type TestMailServer } from '../support/faults/smtp';
import { inTransaction, queueMail } from '../support/service/jobs';
import { settingsOn, startServiceProcess } from '../support/service/processes';
import { startTestService, useServicePerTest } from '../support/service/service';
import { until } from '../support/service/until';

/** For longer than a connection that broke has to be replaced, and shorter than the clean-up waits. */
const LOCK = `UPDATE ${JOB_TABLE} SET locked_by = $2, attempts = 1, locked_at = now() - interval '14 minutes'
  WHERE payload->>'to' = $1`;

describe('mail that a process has in hand', () => {
  let server: TestMailServer;
  beforeEach(async () => {
    server = await startMailServer();
  });
  const service = useServicePerTest('A', () => ({ settings: { smtpUrl: server.url } }));
  afterEach(() => server.stop());

  /** Before anybody sees it, it can be locked by somebody already. */
  const queue = (to: string, holder?: string): Promise<void> =>
    inTransaction(service, async (manager) => {
      await queueMail(service, manager, to);
      if (holder !== undefined) await manager.query(LOCK, [to, holder]);
    });
  interface Job {
    readonly holder: string | null;
    readonly attempts: number;
  }
  const jobFor = async (to: string): Promise<Job | undefined> => {
    const [job] = await service.sql<Job>(
      `SELECT locked_by AS holder, attempts FROM ${JOB_TABLE} WHERE payload->>'to' = $1`,
      [to],
    );
    return job;
  };

  it('is taken up by it where the answer was lost that gave it, and what it has in hand is left alone', async () => {
    server.hold(true);
    const worker = await startTestService('A', {
      settings: { smtpUrl: server.url, worker: true },
      database: service.database,
    });
    try {
      await queue('held@example.nl');
      await until(() => server.connections() === 1);
      const holder = (await jobFor('held@example.nl'))?.holder ?? '';
      await service.sql(LOCK, ['held@example.nl', holder]);
      await queue('lost@example.nl', holder);
      await until(async () => (await jobFor('lost@example.nl'))?.holder !== holder);
      expect(await jobFor('held@example.nl')).toEqual({ holder, attempts: 1 });
      server.hold(false);
      await until(() => server.mails.length === 2);
      await until(async () => (await jobFor('lost@example.nl')) === undefined);
    } finally {
      server.hold(false);
      await worker.stop();
    }
    const recipients = server.mails.map(({ to }) => to[0]);
    expect(recipients.sort()).toEqual(['held@example.nl', 'lost@example.nl']);
  });

  it('is left to it while it lives, and given to others soon after it was killed', async () => {
    server.hold(true);
    const process = startServiceProcess(settingsOn(service.database.url, { SMTP_URL: server.url }));
    await process.address;
    await queue('alive@example.nl');
    // A connection of the test before may still be closing: the job itself says that it was taken.
    await until(async () => typeof (await jobFor('alive@example.nl'))?.holder === 'string');
    await until(() => server.connections() === 1);
    const holder = (await jobFor('alive@example.nl'))?.holder ?? '';
    expect(holder).toMatch(/^pool-/);
    await service.sql(LOCK, ['alive@example.nl', holder]);
    await queue('dead@example.nl', 'pool-of-a-process-that-is-gone');

    const other = await startTestService('A', {
      settings: { smtpUrl: server.url, worker: true },
      database: service.database,
    });
    try {
      // Somebody has looked, and seen who is gone.
      await until(async () => (await jobFor('dead@example.nl'))?.attempts === 2);
      expect(await jobFor('alive@example.nl')).toEqual({ holder, attempts: 1 });
      process.child.kill('SIGKILL');
      await process.ended;
      await until(async () => (await jobFor('alive@example.nl'))?.attempts === 2);
      server.hold(false);
      await until(async () => (await jobFor('alive@example.nl')) === undefined);
      await until(async () => (await jobFor('dead@example.nl')) === undefined);
    } finally {
      server.hold(false);
      process.child.kill('SIGKILL');
      await other.stop();
    }
    const sent = server.mails.filter(({ to }) => to[0] === 'alive@example.nl');
    // The mail server had taken the first, too.
    expect(new Set(sent.map(({ headers }) => headers.get('message-id'))).size).toBe(1);
    expect(server.mails.some(({ to }) => to[0] === 'dead@example.nl')).toBe(true);
  });
});

describe('a message to a webhook that a process has in hand', () => {
  const service = useServicePerTest('A', { settings: { webhookNetworks: ['127.0.0.0/8'] } });

  it('is sent again, with its id, after the process was killed', async () => {
    const receiver = await startReceiver();
    receiver.answer = 'hang';
    const { custadmin, organisationId } = await makeCustomer(service);
    const hooks = `/organisations/${organisationId}/webhooks`;
    const { body } = await custadmin.client.post(hooks, { url: receiver.url, events: ['*'] }).expect(201);
    const { webhook } = body as { webhook: { id: number } };
    await custadmin.client.post(`${hooks}/${webhook.id}/test`).expect(204);
    const process = startServiceProcess(
      settingsOn(service.database.url, { WEBHOOK_NETWORKS: '127.0.0.0/8' }),
    );
    await process.address;
    await until(() => receiver.messages.length === 1);
    process.child.kill('SIGKILL');
    await process.ended;
    receiver.answer = { status: 204 };
    const other = await startTestService('A', {
      settings: { worker: true, webhookNetworks: ['127.0.0.0/8'] },
      database: service.database,
    });
    try {
      await until(() => receiver.messages.length === 2);
    } finally {
      await other.stop();
      await receiver.stop();
    }
    expect(new Set(receiver.messages.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });
});
