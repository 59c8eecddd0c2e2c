import { CONCURRENT_MAILS } from '@app/platform/jobs/job-handler';
import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { makeCustomer, makeOrganisation, makeUser, PASSWORD } from '../../support/factories/factories';
import { startMailServer, type TestMailServer } from '../../support/faults/smtp';
import { ApiClient } from '../../support/service/client';
import { startTestService, type TestService } from '../../support/service/service';
import { useOneHour } from '../../support/service/time';
import { until } from '../../support/service/until';

useOneHour();

/** What a mail server takes for a mail that is slow, but not broken: with three places ten a second. */
const SLOW = 300;

let mailServer: TestMailServer;
let service: TestService;

beforeAll(async () => {
  mailServer = await startMailServer();
  service = await startTestService('A', {
    settings: { smtpUrl: mailServer.url, worker: true, mailHourlyLimit: 'off' },
  });
});
afterAll(async () => {
  mailServer.delay(0);
  // What waits is not waited for: nothing new is taken once the queue is empty.
  await service.sql(`DELETE FROM ${JOB_TABLE} WHERE locked_at IS NULL`);
  await service.stop();
  await mailServer.stop();
});

const changePassword = (organisationId: number, { id, client }: { id: number; client: ApiClient }) =>
  client.post(`/organisations/${organisationId}/users/${id}/changepassword`, {
    oldPassword: PASSWORD,
    password: 'An0ther-Passw0rd',
  });

describe('news to ten thousand contacts of an organisation', () => {
  it('POST …/changepassword of its user and POST /resetting/send_email of another: both within 5 s', async () => {
    const attacked = await makeCustomer(service);
    const other = await makeCustomer(service);
    // More than anybody can have: what is there already stays.
    await service.sql('ALTER TABLE contacts DISABLE TRIGGER USER');
    await service.sql`INSERT INTO contacts (organisation_id, type, name, unique_key, groups)
       SELECT ${attacked.organisationId}, 'email', 'c' || i || '@many.example', 'c' || i || '@many.example', '{System}'
       FROM generate_series(1, 10000) i`;
    await service.sql('ALTER TABLE contacts ENABLE TRIGGER USER');
    mailServer.delay(SLOW);

    const start = performance.now();
    await changePassword(attacked.organisationId, attacked.custadmin).expect(200);
    expect(performance.now() - start).toBeLessThan(5000);

    await until(async () => {
      const [row] = await service.sql<{ recipients: number }>(
        'SELECT count(*)::integer AS recipients FROM notification_recipients',
      );
      return (row?.recipients ?? 0) > 10_000;
    });
    await until(() => mailServer.mails.length >= 3);

    const asked = performance.now();
    await new ApiClient(service.url)
      .post('/resetting/send_email', { username: other.plain.username })
      .expect(204);
    await until(() => mailServer.mails.some(({ to }) => to.includes(other.plain.username)));
    expect(performance.now() - asked).toBeLessThan(5000);
    const [waiting] = await service.sql<{ mails: number }>(
      `SELECT count(*)::integer AS mails FROM notification_recipients WHERE status = 'queued'`,
    );
    expect(waiting?.mails).toBeGreaterThan(9000);
    expect(mailServer.mails.map(({ to }) => to[0])).toContain(attacked.custadmin.username);
  });
});

it('POST /resetting/send_email: its mail has a place of its own while the mail server does not reply to news', async () => {
  await service.sql(`DELETE FROM ${JOB_TABLE} WHERE locked_at IS NULL`);
  mailServer.delay(0);
  const organisationId = await makeOrganisation(service);
  // No address: there is no urgent mail but the one asked for below.
  const user = await makeUser(service, { organisationId, username: 'nobody' });
  const other = await makeCustomer(service);
  await service.sql`INSERT INTO contacts (organisation_id, type, name, unique_key, groups)
     SELECT ${organisationId}, 'email', 'h' || i || '@hang.example', 'h' || i || '@hang.example', '{System}'
     FROM generate_series(1, 20) i`;
  const inHand = (): Promise<{ id: number }[]> =>
    service.sql(`SELECT id FROM ${JOB_TABLE} WHERE locked_at IS NOT NULL`);
  await until(async () => (await inHand()).length === 0);
  mailServer.hold(true);
  const before = mailServer.mails.length;
  await changePassword(organisationId, user).expect(200);
  await until(() => mailServer.held() === CONCURRENT_MAILS);
  await new ApiClient(service.url)
    .post('/resetting/send_email', { username: other.plain.username })
    .expect(204);
  await until(() => mailServer.held() === CONCURRENT_MAILS + 1);
  mailServer.hold(false);
  const first = mailServer.mails.slice(before).map(({ to }) => to[0]);
  expect(first).toContain(other.plain.username);
});
