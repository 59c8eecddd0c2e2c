import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ForPeopleOf, OutgoingMail } from '@app/mail/mail.types';
import { Outbox } from '@app/mail/outbox';
import { Transactions } from '@app/platform/database/transactions';
import { CleanUpHandler } from '@app/platform/jobs/clean-up';
import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { startWorker } from '../../../apps/worker/start-worker';
import { makeCustomer } from '../../support/factories/factories';
import { makeContact } from '../../support/factories/records';
import { refuseFirst } from '../../support/faults/refusals';
import { parseMail, startMailServer, type TestMailServer } from '../../support/faults/smtp';
import { anonymous } from '../../support/service/client';
import { inTransaction, makeJobsDue, runJob, runJobs, TEST_CONTEXT } from '../../support/service/jobs';
import {
  startTestService,
  TEST_SECRETS_KEY,
  type TestService,
  testSettings,
  useServicePerTest,
} from '../../support/service/service';
import { makeOlder } from '../../support/service/time';
import { until } from '../../support/service/until';
import { NEIGHBOUR } from '../../support/service/variants';

type InvitationMail = Extract<OutgoingMail, { readonly template: 'invitation' }>;

const MAIL: InvitationMail & ForPeopleOf = {
  template: 'invitation',
  to: 'jan@example.nl',
  organisationId: 1,
  language: 'en',
  values: { organisation: 'Bakkerij', inviter: 'Anna Smit', endDate: '1 juli' },
  secrets: { link: 'https://panel.example/invitation' },
};

const queue = (service: TestService, mail: Partial<InvitationMail> = {}): Promise<void> =>
  service.app
    .get(Transactions)
    .run(TEST_CONTEXT, (manager) => service.app.get(Outbox).queue(manager, { ...MAIL, ...mail }));

interface JobState {
  attempts: number;
  waiting: boolean;
  max_attempts: number;
}

const jobs = (service: TestService): Promise<JobState[]> =>
  service.sql<JobState>(
    `SELECT attempts, max_attempts, run_at > now() AS waiting FROM graphile_worker.jobs ORDER BY id`,
  );

const noJobs = async (service: TestService): Promise<boolean> => (await jobs(service)).length === 0;

const makeDue = (service: TestService): Promise<unknown> => makeJobsDue(service);

describe('mail over SMTP', () => {
  let server: TestMailServer;
  beforeEach(async () => {
    server = await startMailServer();
  });
  const service = useServicePerTest('A', () => ({ settings: { smtpUrl: server.url } }));
  afterEach(() => server.stop());

  it('goes to one envelope recipient, as text and HTML, after the commit and not after a rollback', async () => {
    const rolledBack = service.app.get(Transactions).run(TEST_CONTEXT, async (manager) => {
      await service.app.get(Outbox).queue(manager, MAIL);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await queue(service, {
      values: { ...MAIL.values, organisation: 'B & <b>Zn</b>\r\nBcc: evil@x.example' },
    });
    expect(server.mails).toHaveLength(0);
    await runJobs(service);
    expect(server.mails).toHaveLength(1);
    const [mail] = server.mails;
    expect(mail).toMatchObject({ from: 'no-reply@localhost.localdomain', to: ['jan@example.nl'] });
    expect(mail?.headers.has('bcc')).toBe(false);
    expect(mail?.headers.get('subject')).toBe('Invitation to the control panel');
    expect(mail?.headers.get('message-id')).toMatch(/^<\d+\.[0-9a-f-]{36}@localhost\.localdomain>$/);
    expect(mail?.text).toContain('https://panel.example/invitation');
    expect(mail?.html).toContain('B &amp; &lt;b&gt;Zn&lt;/b&gt;');
    expect(await noJobs(service)).toBe(true);
  });

  it('is named by its job, which holds nothing of it, and is gone once it was sent', async () => {
    await queue(service);
    const [mail] = await service.sql<{ id: number }>('SELECT id FROM mails');
    const payloads = () => service.sql(`SELECT payload FROM ${JOB_TABLE}`);
    expect(await payloads()).toEqual([{ payload: { customerId: 1 } }]);
    server.refuse(true);
    await runJobs(service);
    server.refuse(false);
    expect(await payloads()).toEqual([{ payload: { source: 'stored', id: mail?.id } }]);
    await makeDue(service);
    await runJobs(service);
    expect(server.mails).toHaveLength(1);
    expect(await service.sql('SELECT id FROM mails')).toEqual([]);
  });

  it('has no further try where another replaced it while it was being sent', async () => {
    const queueWithKey = (to: string): Promise<void> =>
      inTransaction(service, (manager) =>
        service.app.get(Outbox).queue(manager, { ...MAIL, to }, 'invitation:1'),
      );
    server.refuse(true);
    await queueWithKey('old@example.nl');
    await runJobs(service);
    await service.sql(`UPDATE ${JOB_TABLE} SET locked_at = now(), locked_by = 'worker'`);
    await queueWithKey('new@example.nl');
    await service.sql(`UPDATE ${JOB_TABLE} SET locked_at = NULL, locked_by = NULL, attempts = 1`);
    server.refuse(false);
    await makeDue(service);
    await runJobs(service);
    expect(server.mails.map(({ to }) => to)).toEqual([['new@example.nl']]);
    expect(await noJobs(service)).toBe(true);
  });

  it('that was given up is shown as long as its job stays, and leaves with it', async () => {
    server.refuse(true);
    await queue(service);
    await runJobs(service);
    await service.sql(`UPDATE ${JOB_TABLE} SET max_attempts = 2`);
    await makeDue(service);
    await runJobs(service);
    const left = async (): Promise<number> => {
      await makeOlder(service, 'mails', {}, '2 hours', ['queued_at']);
      await runJob(service, CleanUpHandler);
      return (await service.sql('SELECT id FROM mails')).length;
    };
    expect(await left()).toBe(1);
    await service.sql(`UPDATE ${JOB_TABLE} SET updated_at = now() - interval '31 days'`);
    expect(await left()).toBe(0);
  });

  it('is refused at once where its address could never be mailed', async () => {
    await expect(queue(service, { to: 'jan' })).rejects.toThrow('no plain e-mail address');
    await expect(queue(service, { to: '"evil@x y"@victim.example' })).rejects.toThrow(
      'no plain e-mail address',
    );
  });

  it('waits with growing pauses while the mail server is away, and is delivered once', async () => {
    await server.stop();
    await queue(service);
    await runJobs(service);
    expect(await jobs(service)).toEqual([{ attempts: 1, waiting: true, max_attempts: 20 }]);
    const pauses: number[] = [];
    for (let round = 0; round < 3; round++) {
      await makeDue(service);
      await runJobs(service);
      const [row] = await service.sql<{ seconds: number }>(
        'SELECT extract(epoch FROM run_at - now())::float AS seconds FROM graphile_worker.jobs',
      );
      pauses.push(row?.seconds ?? 0);
    }
    expect([...pauses].sort((a, b) => a - b)).toEqual(pauses);
    server = await startMailServer(Number(new URL(server.url).port));
    await makeDue(service);
    await runJobs(service);
    await runJobs(service);
    expect(server.mails).toHaveLength(1);
    expect(await noJobs(service)).toBe(true);
  });

  it('is one try for a mail server that says nothing, which is no outage of the database', async () => {
    let asked = 0;
    await server.stop();
    const silent = createServer(() => asked++).listen(Number(new URL(server.url).port), '127.0.0.1');
    await once(silent, 'listening');
    await queue(service);
    await runJobs(service);
    expect(await jobs(service)).toEqual([{ attempts: 1, waiting: true, max_attempts: 20 }]);
    expect(asked).toBe(1);
    silent.close();
  });

  it('carries the same Message-ID again where the answer of the mail server was lost', async () => {
    server.loseReplies(true);
    await queue(service);
    await runJobs(service);
    server.loseReplies(false);
    await makeDue(service);
    await runJobs(service);
    const ids = server.mails.map(({ headers }) => headers.get('message-id'));
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
  });

  it('goes out once where it cannot be stored at once that it did', async () => {
    await using refusals = await refuseFirst(service, 2, 'UPDATE ON notification_recipients');
    await queue(service, { outcomeOf: { kind: 'invitation', id: 1 } });
    await runJobs(service);
    expect(await noJobs(service)).toBe(true);
    expect(server.mails).toHaveLength(1);
    expect(await refusals.tries()).toBe(3);
  });

  it('goes out once where its job cannot be written down as done, which then waits for nobody', async () => {
    await using refusals = await refuseFirst(service, 1, `DELETE ON ${JOB_TABLE}`);
    await queue(service);
    await using worker = await startTestService('A', {
      settings: { smtpUrl: server.url, worker: true },
      database: service.database,
    });
    await until(() => noJobs(worker));
    expect(server.mails).toHaveLength(1);
    expect(await refusals.tries()).toBeGreaterThan(1);
  });

  it.each([
    ['that is sent', true, 'sent'],
    ['that nobody needs any more', false, 'skipped'],
  ])('%s has its outcome after a deadlock too, at its last try', async (_, isWanted, status) => {
    const { custadmin, organisationId, plain } = await makeCustomer(service);
    await makeContact(service, {
      organisationId,
      userId: plain.id,
      name: 'to@example.nl',
      groups: ['System'],
    });
    server.refuse(true);
    await custadmin.client
      .post(`/organisations/${organisationId}/notifications`, { type: 'maintenance', group: 'System' })
      .expect(201);
    await runJobs(service);
    server.refuse(false);
    await service.sql(`UPDATE users SET enabled = $2 WHERE id = $1`, [plain.id, isWanted]);
    await service.sql(`UPDATE ${JOB_TABLE} SET run_at = now(), max_attempts = attempts + 1`);
    await using refusals = await refuseFirst(service, 1, 'UPDATE ON notification_recipients', '40P01');
    await runJobs(service);
    expect(await refusals.tries()).toBe(2);
    expect(await noJobs(service)).toBe(true);
    expect(
      await service.sql(`SELECT status FROM notification_recipients WHERE value = 'to@example.nl'`),
    ).toEqual([{ status }]);
  });

  it('is dropped where it is over by the clock of the database', async () => {
    const [clock] = await service.sql<{ past: Date; future: Date }>(
      `SELECT now() - interval '1 second' AS past, now() + interval '1 hour' AS future`,
    );
    await queue(service, { expiresAt: clock?.past, to: 'late@example.nl' });
    await queue(service, { expiresAt: clock?.future, to: 'early@example.nl' });
    await runJobs(service);
    expect(server.mails.map(({ to }) => to)).toEqual([['early@example.nl']]);
    expect(await noJobs(service)).toBe(true);
  });

  it('is sent once by two workers', async () => {
    const workers: TestService[] = [];
    // Processes of both variants may share a database.
    for (const variant of ['A', NEIGHBOUR] as const) {
      workers.push(
        await startTestService(variant, {
          settings: { smtpUrl: server.url, worker: true },
          database: service.database,
        }),
      );
    }
    const addresses = Array.from({ length: 60 }, (_, index) => `user${index}@example.nl`);
    for (const to of addresses) await queue(service, { to });
    await until(() => noJobs(service));
    expect(server.mails.map(({ to }) => to[0]).sort()).toEqual([...addresses].sort());
    await Promise.all(workers.map((worker) => worker.stop()));
  });

  it('keeps no request waiting for a mail server that does not answer, and finishes the mail in hand when it stops', async () => {
    server.hold(true);
    const worker = await startTestService('A', {
      settings: { smtpUrl: server.url, worker: true },
      database: service.database,
    });
    const { plain } = await makeCustomer(service);
    for (let asked = 0; asked < 5; asked++) {
      await anonymous(worker).post('/resetting/send_email', { username: plain.username }).expect(204);
    }
    await until(() => server.connections() > 0);
    const stopped = worker.stop();
    expect(server.mails).toEqual([]);
    server.hold(false);
    await stopped;
    expect(server.mails).not.toEqual([]);
    const [locked] = await service.sql(
      'SELECT count(*)::integer FROM graphile_worker.jobs WHERE locked_at IS NOT NULL',
    );
    expect(locked).toEqual({ count: 0 });
    await runJobs(service);
    const ids = server.mails.map(({ headers }) => headers.get('message-id'));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('goes on after its connections to the database broke', async () => {
    await using worker = await startTestService('A', {
      settings: { smtpUrl: server.url, worker: true },
      database: service.database,
    });
    const listening = `FROM pg_stat_activity WHERE application_name = 'account-api-jobs' AND datname = current_database()`;
    // A pause of five seconds before a new start, one until the next look for jobs, and perhaps a second try.
    for (let round = 0; round < 2; round++) {
      await until(async () => (await service.sql(`SELECT ${listening} AND query LIKE 'LISTEN%'`)).length > 0);
      const cut = await service.sql(`SELECT pg_terminate_backend(pid) ${listening}`);
      expect(cut.length).toBeGreaterThan(0);
      await queue(service, { to: `round${round}@example.nl` });
      await until(() => noJobs(worker));
    }
    expect(server.mails.map(({ to }) => to[0])).toEqual(['round0@example.nl', 'round1@example.nl']);
  });

  it('is sent by a worker that runs alone', async () => {
    const worker = await startWorker({
      ...testSettings('A', { smtpUrl: server.url, logLevel: 'silent' }),
      databaseUrl: service.database.url,
      secretsKey: TEST_SECRETS_KEY,
    });
    await queue(service);
    await until(() => noJobs(service));
    await worker.stop();
    expect(server.mails).toHaveLength(1);
  });
});

describe('the job upkeep.clean', () => {
  it('deletes the rows of attempts, logins and recovery_requests that are over, and nothing else', async () => {
    await using service = await startTestService('A');
    const { plain } = await makeCustomer(service);
    await service.sql(
      `INSERT INTO attempts VALUES ('\\x01', 1, now() - interval '1 second'), ('\\x02', 1, now() + interval '1 minute')`,
    );
    await service.sql(
      `INSERT INTO logins (user_id, digest, expires_at, address) VALUES ($1, '\\x01', now() - interval '1 second', '::1')`,
      [plain.id],
    );
    await service.sql(
      `INSERT INTO recovery_requests (user_id, username, token_digest, code_digest, expires_at, code_expires_at, ended_at)
       VALUES ($1, 'n', '\\x01', '\\x01', now() - interval '91 days', now(), now()),
         ($1, 'n', '\\x02', '\\x02', now() - interval '89 days', now(), now())`,
      [plain.id],
    );
    await runJob(service, CleanUpHandler);
    const [left] =
      await service.sql`SELECT (SELECT array_agg(encode(bucket, 'hex')) FROM attempts) AS attempts,
        (SELECT count(*)::integer FROM logins WHERE user_id = ${plain.id}) AS logins,
        (SELECT array_agg(encode(token_digest, 'hex')) FROM recovery_requests) AS requests`;
    expect(left).toEqual({ attempts: ['02'], logins: 1, requests: ['02'] });
  });
});

describe('mail without a mail server', () => {
  it('becomes files under DATA_DIR/mail', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'account-api-data-'));
    const service = await startTestService('A', { settings: { dataDir } });
    await queue(service);
    await queue(service, { to: 'piet@example.nl' });
    await runJobs(service);
    const files = readdirSync(join(dataDir, 'mail'));
    const mails = await Promise.all(
      files.map((file) => parseMail(readFileSync(join(dataDir, 'mail', file)))),
    );
    expect(mails.map(({ headers }) => headers.get('to')).sort()).toEqual([
      'jan@example.nl',
      'piet@example.nl',
    ]);
    expect(mails[0]?.text).toContain('https://panel.example/invitation');
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
});
