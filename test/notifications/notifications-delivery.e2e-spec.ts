import { Client } from 'pg';
import { USERS_OF_A_BATCH } from '@app/people/notifications/contact-recipients';
import { ExpandNotificationHandler } from '@app/people/notifications/notification-expansion';
import { EXPAND_NOTIFICATION } from '@app/people/notifications/notification-recorder';
import { CleanUpHandler } from '@app/platform/jobs/clean-up';
import { JOB_TABLE, JOBS } from '@app/platform/jobs/job-tables';
import { type MadeUser, makeCustomer } from '../support/factories/factories';
import { makeContact } from '../support/factories/records';
import { transactionBeside, untilBlocked } from '../support/faults/locks';
import { useMailServer } from '../support/faults/smtp';
import { deleteJobs, makeJobsDue, runJob, runJobs } from '../support/service/jobs';
import { startTestService, useService } from '../support/service/service';
import { makeOlder } from '../support/service/time';

interface Notification {
  status: number;
  statusDisplay: string;
  statusCategory: string;
  contacts: { value: string; status: number; message: string }[];
}

let organisationId: number;
let custadmin: MadeUser;
let plain: MadeUser;
let path: string;

const mailServer = useMailServer();
const service = useService('A', () => ({ settings: { smtpUrl: mailServer.url } }));

beforeEach(async () => {
  mailServer.refuse(false);
  mailServer.mails.length = 0;
  ({ organisationId, custadmin, plain } = await makeCustomer(service, { name: 'Bakkerij de Vries' }));
  path = `/organisations/${organisationId}/notifications`;
});

const tell = (name: string, userId?: number): Promise<number> =>
  makeContact(service, { organisationId, userId, name, groups: ['System'] });

const notify = () => custadmin.client.post(path, { type: 'maintenance', group: 'System' }).expect(201);

async function outcome(): Promise<Notification> {
  const { body } = await custadmin.client.get(path).expect(200);
  return (body as { notifications: Notification[] }).notifications[0] as Notification;
}

/** Lets the job write recipients and deliveries, of which none gets through. */
async function expand(): Promise<void> {
  mailServer.refuse(true);
  await runJobs(service);
  mailServer.refuse(false);
}

/** Makes the organisation's waiting deliveries due, with one try left where that is asked. */
const makeDue = (lastTry: boolean): Promise<object[]> =>
  service.sql(
    `UPDATE ${JOB_TABLE} SET run_at = now(), attempts = CASE WHEN $1 THEN max_attempts - 1 ELSE attempts END
     WHERE attempts < max_attempts`,
    [lastTry],
  );

it('tells every recipient in its language, and then says so', async () => {
  await service.sql`UPDATE users SET language = 'fr' WHERE id = ${plain.id}`;
  await tell(custadmin.username);
  await tell(plain.username, plain.id);
  await notify();
  await runJobs(service);
  expect(mailServer.mails.map(({ to }) => to[0]).sort()).toEqual([custadmin.username, plain.username].sort());
  for (const mail of mailServer.mails) {
    expect(mail.to).toHaveLength(1);
    expect(mail.headers.get('subject')).toBe('System: maintenance (Bakkerij de Vries)');
    const isFrench = mail.to[0] === plain.username;
    expect(mail.text).toContain(
      isFrench ? 'Envoyé par «\u00a0Jan de Vries\u00a0».' : 'Verstuurd door “Jan de Vries”.',
    );
  }
  expect(await outcome()).toMatchObject({
    status: 1,
    statusDisplay: 'sent',
    statusCategory: 'green',
    contacts: [{ status: 1 }, { status: 1 }],
  });
});

it('tells of an event before what others have posted earlier, of whatever organisation', async () => {
  await tell(custadmin.username);
  await notify();
  const other = await makeCustomer(service);
  await makeContact(service, {
    organisationId: other.organisationId,
    name: 'alarm@of.example',
    groups: ['System'],
  });
  await other.custadmin.client
    .post(`/organisations/${other.organisationId}/servicekeys`, {
      name: 'Shop',
      operations: ['contacts.list'],
      whitelist: [],
    })
    .expect(201);
  await runJobs(service);
  expect(mailServer.mails.flatMap(({ to }) => to)).toEqual(['alarm@of.example', custadmin.username]);
});

it('lets what one customer posted wait for itself, and nobody else', async () => {
  await tell('own@vries.example');
  await notify();
  await notify();
  const [row] = await service.sql<{ first: number }>`
    SELECT min(id)::integer AS first FROM notifications WHERE organisation_id = ${organisationId} AND is_written`;
  const other = await makeCustomer(service);
  await makeContact(service, {
    organisationId: other.organisationId,
    name: 'other@of.example',
    groups: ['System'],
  });
  await other.custadmin.client
    .post(`/organisations/${other.organisationId}/notifications`, { type: 'maintenance', group: 'System' })
    .expect(201);
  const told = () => mailServer.mails.splice(0).flatMap(({ to }) => to);
  await using slow = await transactionBeside(service);
  await slow.query('SELECT FROM notifications WHERE id = $1 FOR UPDATE', [row?.first]);
  const expansion = runJobs(service);
  await untilBlocked(service, expansion);
  await runJobs(service);
  expect(told()).toEqual(['other@of.example']);
  await slow.query('COMMIT');
  await expansion;
  await makeJobsDue(service);
  await runJobs(service);
  expect(told()).toEqual(['own@vries.example', 'own@vries.example']);
});

describe('to the contacts of more users than one job writes', () => {
  const MANY = 2 * USERS_OF_A_BATCH + 50;

  const written = () =>
    service.sql<{ value: string; user: string | null }>`
      SELECT r.value, u.first_name AS user FROM notification_recipients r
      JOIN notifications n ON n.id = r.notification_id LEFT JOIN users u ON u.id = r.user_id
      WHERE n.organisation_id = ${organisationId} ORDER BY r.id`;

  const waiting = async (): Promise<object[]> => {
    const rows = await service.sql<{ payload: object }>(
      `SELECT job.payload FROM ${JOBS} job WHERE job.task = '${EXPAND_NOTIFICATION}'`,
    );
    return rows.map(({ payload }) => payload);
  };

  it('writes some of them in each job, and each address once, as the contact of its first user', async () => {
    // The first and the last user have a channel in common, and the organisation has one of the last user.
    await service.sql`
      WITH made AS (INSERT INTO users (organisation_id, username, first_name, last_name, password_hash)
        SELECT ${organisationId}, 'user' || n || '@of' || ${organisationId} || '.example', 'user' || n, 'Bakker', ''
        FROM generate_series(1, ${MANY}) n ORDER BY n RETURNING id, first_name)
      INSERT INTO contacts (organisation_id, user_id, type, name, unique_key, groups)
        SELECT ${organisationId}, id, 'slack', name, name, ARRAY['System']
        FROM made CROSS JOIN LATERAL (VALUES ('#' || first_name),
          (CASE WHEN first_name IN ('user1', 'user' || ${MANY}) THEN '#both' END)) channel (name)
        WHERE name IS NOT NULL`;
    await service.sql`
      INSERT INTO contacts (organisation_id, type, name, unique_key, groups)
        SELECT ${organisationId}, 'slack', name, name, ARRAY['System']
        FROM (VALUES ('#own'), ('#user' || ${MANY})) channel (name)`;
    await notify();
    const [job] = await waiting();
    // A job that has run and is lost runs again.
    for (let run = 1; run <= 2; run++) {
      await deleteJobs(service);
      await runJob(service, ExpandNotificationHandler, job);
      expect((await written()).length).toBeLessThanOrEqual(USERS_OF_A_BATCH + 1);
      expect(await waiting()).toHaveLength(1);
      expect(await outcome()).toMatchObject({ status: 0, statusDisplay: 'queued' });
    }
    await runJobs(service);
    expect(await outcome()).toMatchObject({ status: 1, statusDisplay: 'sent' });
    const rows = await written();
    expect(rows).toHaveLength(MANY + 2);
    expect(new Set(rows.map(({ value }) => value)).size).toBe(MANY + 2);
    expect(rows).toContainEqual({ value: '#both', user: 'user1' });
    expect(rows).toContainEqual({ value: `#user${MANY}`, user: `user${MANY}` });
    expect(rows).toContainEqual({ value: '#own', user: null });
    // The job of the last batch writes nothing more when it runs again.
    await service.sql`DELETE FROM notification_recipients WHERE value = '#own'`;
    await runJob(service, ExpandNotificationHandler, job);
    expect(await written()).toHaveLength(MANY + 1);
    expect(await waiting()).toEqual([]);
  });
});

it.each([
  ['RCPT', '550 no such mailbox'],
  ['DATA', '554 this is spam'],
] as const)(
  'has failed at once when the server refuses it for good at %s, with its words',
  async (at, words) => {
    await tell('own@vries.example');
    await notify();
    mailServer.refuseForGood(at);
    await runJobs(service);
    mailServer.refuseForGood();
    expect(await outcome()).toMatchObject({
      status: 2,
      statusDisplay: 'failed',
      contacts: [
        { value: 'own@vries.example', status: 2, message: expect.stringContaining(words) as string },
      ],
    });
    expect(await service.sql(`SELECT id FROM ${JOB_TABLE}`)).toEqual([]);
    await runJobs(service);
    expect(mailServer.mails).toEqual([]);
  },
);

it('tries again what the server refuses before it knows the recipient', async () => {
  await tell('own@vries.example');
  await notify();
  mailServer.refuseSender(true);
  await runJobs(service);
  mailServer.refuseSender(false);
  expect(await outcome()).toMatchObject({ status: 0, contacts: [{ status: 0 }] });
  await makeDue(false);
  await runJobs(service);
  expect(await outcome()).toMatchObject({ status: 1, contacts: [{ status: 1 }] });
});

it('stays queued between tries and has failed, visibly, after the last', async () => {
  await tell('own@vries.example');
  await notify();
  mailServer.refuse(true);
  await runJobs(service);
  expect(await outcome()).toMatchObject({ status: 0, statusDisplay: 'queued', contacts: [{ status: 0 }] });
  await makeDue(true);
  await runJobs(service);
  expect(await outcome()).toMatchObject({
    status: 2,
    statusDisplay: 'failed',
    statusCategory: 'red',
    contacts: [{ status: 2 }],
  });
  expect(service.logLines.some((line) => line.includes('mail could not be delivered'))).toBe(true);
});

it('tells no reader where the mail server is that could not be reached', async () => {
  await tell('own@vries.example');
  await notify();
  await expand();
  await makeDue(true);
  await using elsewhere = await startTestService('A', {
    database: service.database,
    settings: { smtpUrl: 'smtp://127.0.0.1:1' },
  });
  await runJobs(elsewhere);
  expect(await outcome()).toMatchObject({
    status: 2,
    contacts: [{ status: 2, message: 'The mail server could not be reached.' }],
  });
});

it('has failed when its last try was killed before it could say so', async () => {
  await tell('own@vries.example');
  await notify();
  await expand();
  await deleteJobs(service);
  const cleanUp = () => runJob(service, CleanUpHandler);
  await makeOlder(service, 'notification_recipients', {}, '71 hours', ['queued_at']);
  await cleanUp();
  expect(await outcome()).toMatchObject({ status: 0, contacts: [{ status: 0 }] });
  await makeOlder(service, 'notification_recipients', {}, '2 hours', ['queued_at']);
  await cleanUp();
  expect(await outcome()).toMatchObject({ status: 2, contacts: [{ status: 2 }] });
});

it('is partly sent when one recipient was told and another was not', async () => {
  await tell('first@vries.example');
  await notify();
  await runJobs(service);
  await tell('second@vries.example');
  await notify();
  await expand();
  const [second] = await service.sql<{ id: number }>(
    `SELECT r.id FROM notification_recipients r JOIN notifications n ON n.id = r.notification_id
     WHERE n.organisation_id = $1 AND r.value = 'second@vries.example'`,
    [organisationId],
  );
  mailServer.refuse(true);
  await service.sql(
    `UPDATE ${JOB_TABLE} SET attempts = max_attempts - 1, run_at = now()
     WHERE payload->>'source' = 'recipient' AND (payload->>'id')::integer = $1`,
    [second?.id],
  );
  await runJobs(service);
  mailServer.refuse(false);
  await makeDue(false);
  await runJobs(service);
  const { body } = await custadmin.client.get(`${path}?orderType=desc`).expect(200);
  expect((body as { notifications: Notification[] }).notifications[0]).toMatchObject({
    status: 3,
    statusDisplay: 'partly sent',
    statusCategory: 'orange',
    contacts: expect.arrayContaining([
      expect.objectContaining({ value: 'first@vries.example', status: 1, message: '' }),
      expect.objectContaining({ value: 'second@vries.example', status: 2, message: '451 try again later' }),
    ]) as object[],
  });
});

it('is sent again after a failure, with the same Message-ID', async () => {
  await tell('own@vries.example');
  await notify();
  mailServer.refuse(true);
  await runJobs(service);
  mailServer.refuse(false);
  await makeDue(false);
  await runJobs(service);
  const [recipient] = await service.sql<{ hash: string }>(
    `SELECT r.hash FROM notification_recipients r JOIN notifications n ON n.id = r.notification_id
     WHERE n.organisation_id = $1`,
    [organisationId],
  );
  expect(mailServer.mails).toHaveLength(1);
  expect(mailServer.mails[0]?.headers.get('message-id')).toContain(recipient?.hash);
  expect((await outcome()).status).toBe(1);
});

it('tells nobody who was disabled, or whose contact was removed, meanwhile', async () => {
  await tell('jan@vries.example', plain.id);
  const removed = await tell('old@vries.example');
  await notify();
  await expand();
  await service.sql`UPDATE users SET enabled = false WHERE id = ${plain.id}`;
  await service.sql`DELETE FROM contacts WHERE id = ${removed}`;
  await makeDue(false);
  await runJobs(service);
  expect(mailServer.mails).toEqual([]);
  const { body } = await custadmin.client.get(path).expect(200);
  expect((body as { notifications: Notification[] }).notifications).toMatchObject([
    { contacts: [{ status: 4 }, { status: 4 }] },
  ]);
});

it('follows two deliveries that are settled at the same time', async () => {
  await tell('first@vries.example');
  await tell('second@vries.example');
  await notify();
  await expand();
  const ids = await service.sql<{ id: number }>(
    `SELECT r.id FROM notification_recipients r JOIN notifications n ON n.id = r.notification_id
     WHERE n.organisation_id = $1 ORDER BY r.id`,
    [organisationId],
  );
  const runners = [0, 1].map(() => new Client({ connectionString: service.database.url }));
  const [first, second] = runners as [Client, Client];
  await Promise.all(runners.map((runner) => runner.connect()));
  try {
    const settle = `UPDATE notification_recipients SET status = 'sent' WHERE id = $1`;
    await first.query('BEGIN');
    await first.query(settle, [ids[0]?.id]);
    // Waits for the first one, whose outcome it could not see otherwise.
    const settled = second.query(settle, [ids[1]?.id]);
    await untilBlocked(service, settled);
    await first.query('COMMIT');
    await settled;
    expect(await outcome()).toMatchObject({ status: 1, contacts: [{ status: 1 }, { status: 1 }] });
  } finally {
    await Promise.all(runners.map((runner) => runner.end()));
  }
});

it('tells 16 recipients once each with four runners at work', async () => {
  for (let count = 0; count < 16; count++) await tell(`r${count}@vries.example`);
  await notify();
  mailServer.delay(20);
  await Promise.all([runJobs(service), runJobs(service), runJobs(service), runJobs(service)]);
  mailServer.delay(0);
  expect(new Set(mailServer.mails.map(({ to }) => to[0])).size).toBe(16);
  expect(mailServer.mails).toHaveLength(16);
  expect((await outcome()).status).toBe(1);
});

it('queues nothing when what it tells about is rolled back', async () => {
  await tell('own@vries.example');
  const jobs = () => service.sql(`SELECT id FROM ${JOB_TABLE}`);
  const before = await jobs();
  await service.sql(`ALTER TABLE notifications ADD CONSTRAINT tests_refuse CHECK (type <> 'refused')`);
  await custadmin.client.post(path, { type: 'refused', group: 'System' }).expect(400);
  expect(await jobs()).toEqual(before);
});
