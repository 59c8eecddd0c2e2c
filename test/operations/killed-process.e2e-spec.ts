import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { startReceiver } from '../support/faults/receiver';
import { type ReceivedMail, startMailServer, type TestMailServer } from '../support/faults/smtp';
import { asAdmin } from '../support/service/client';
import { inTransaction, queueMail } from '../support/service/jobs';
import { settingsOn, startServiceProcess } from '../support/service/processes';
import { startTestService, useServicePerTest } from '../support/service/service';
import { until } from '../support/service/until';

/** SQL condition: the job sends the mail to $1. */
const OF_MAIL_TO = `payload->>'source' = 'stored'
  AND (payload->>'id')::integer IN (SELECT id FROM mails WHERE address = $1)`;

/** For longer than a connection that broke has to be replaced, and shorter than the clean-up waits. */
const LOCK = `UPDATE ${JOB_TABLE} SET locked_by = $2, attempts = 1, locked_at = now() - interval '14 minutes'
  WHERE ${OF_MAIL_TO}`;

describe('a mail.send that a process has in hand', () => {
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
    readonly isRenewed: boolean;
  }
  const jobFor = async (to: string): Promise<Job | undefined> => {
    const [job] = await service.sql<Job>(
      `SELECT locked_by AS holder, attempts, locked_at > now() - interval '10 seconds' AS "isRenewed"
       FROM ${JOB_TABLE} WHERE ${OF_MAIL_TO}`,
      [to],
    );
    return job;
  };

  it('is taken up by it where the answer that gave it was lost, and what it sends is left alone', async () => {
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
      expect(await jobFor('held@example.nl')).toMatchObject({ holder, attempts: 1 });
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

  it('is left to it while it lives, and given to others soon after SIGKILL', async () => {
    const silent = await startMailServer();
    silent.hold(true);
    const other = await startTestService('A', {
      settings: { smtpUrl: server.url, worker: true },
      database: service.database,
    });
    await queue('dead@example.nl', 'pool-of-a-process-that-is-gone');
    // From now on this one gives away what nobody renews.
    await until(() => server.mailsTo('dead@example.nl').length === 1);
    const process = startServiceProcess(settingsOn(service.database.url, { SMTP_URL: silent.url }));
    try {
      await process.address;
      const addresses = Array.from({ length: 40 }, (_, index) => `to${index}@example.nl`);
      await inTransaction(service, async (manager) => {
        for (const to of addresses) await queueMail(service, manager, to);
      });
      // Both take some, and a try at the silent mail server ends after 30 seconds at the earliest.
      await until(() => silent.held() > 0 && silent.held() + server.mails.length === 41);
      const [{ address, holder } = { address: '', holder: '' }] = await service.sql<{
        address: string;
        holder: string;
      }>(`SELECT m.address, j.locked_by AS holder FROM mails m
        JOIN ${JOB_TABLE} j ON (j.payload->>'id')::integer = m.id WHERE j.locked_by IS NOT NULL LIMIT 1`);
      expect(holder).toMatch(/^pool-/);
      await service.sql(
        `UPDATE ${JOB_TABLE} SET locked_at = now() - interval '20 seconds' WHERE ${OF_MAIL_TO}`,
        [address],
      );
      await until(async () => (await jobFor(address))?.isRenewed === true);
      expect(await jobFor(address)).toEqual({ holder, attempts: 1, isRenewed: true });
      process.child.kill('SIGKILL');
      await process.ended;
      await until(() => server.mails.length === 41);
      expect(server.mails.map(({ to }) => to[0]).sort()).toEqual(['dead@example.nl', ...addresses].sort());
      silent.hold(false);
      await until(() => silent.mails.length > 0);
      // The mail server of the killed process had taken them, too.
      const idOf = (mail: ReceivedMail | undefined): string | undefined => mail?.headers.get('message-id');
      for (const mail of silent.mails) expect(idOf(mail)).toBe(idOf(server.mailsTo(mail.to[0] ?? '')[0]));
    } finally {
      silent.hold(false);
      process.child.kill('SIGKILL');
      await other.stop();
      await silent.stop();
    }
  });
});

describe('a message to a webhook that a process has in hand', () => {
  const service = useServicePerTest('A', { settings: { webhookNetworks: ['127.0.0.0/8'] } });

  it('is sent again with its webhook-id after SIGKILL', async () => {
    const receiver = await startReceiver();
    receiver.answer = 'hang';
    const admin = await asAdmin(service);
    const hooks = '/organisations/1/webhooks';
    const hook = { url: receiver.url, events: ['teams.created'] };
    const { body } = await admin.post(hooks, hook).expect(201);
    const { webhook } = body as { webhook: { id: number } };
    await admin.post(`${hooks}/${webhook.id}/test`).expect(204);
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
