import { type MadeUser, makeCustomer, makeOrganisation } from '../../support/factories/factories';
import { newPublicKey } from '../../support/factories/key-factories';
import { makeContact } from '../../support/factories/records';
import { useMailServer } from '../../support/faults/smtp';
import { runCli } from '../../support/service/cli';
import { asAdmin } from '../../support/service/client';
import { makeJobsDue, runJobs } from '../../support/service/jobs';
import { useService } from '../../support/service/service';
import { letTimePass, useOneHour } from '../../support/service/time';

useOneHour();

/** rule notifications 37 */
const LIMIT = 4;
const OF_CUSTOMER = 10 * LIMIT;

let organisationId: number;
let custadmin: MadeUser;

const mailServer = useMailServer();
const service = useService('A', () => ({ settings: { smtpUrl: mailServer.url, mailHourlyLimit: LIMIT } }));

beforeEach(async () => {
  mailServer.mails.length = 0;
  ({ organisationId, custadmin } = await makeCustomer(service));
});

const postTo = (id: number, { client } = custadmin) =>
  client.post(`/organisations/${id}/notifications`, { type: 'x', group: 'App' }).expect(201);

const invite = (email: string, id = organisationId) =>
  custadmin.client
    .post(`/organisations/${id}/invitations`, { email, firstName: 'New', lastName: 'User' })
    .expect(201);

async function makeContacts(count: number, id = organisationId): Promise<void> {
  for (let made = 0; made < count; made++)
    await makeContact(service, { organisationId: id, name: `c${made}@many${id}.example`, groups: ['App'] });
}

async function anHourLater(): Promise<void> {
  await letTimePass(service, '1 hour');
  await makeJobsDue(service);
  await runJobs(service);
}

const mailsTo = (text: string): number =>
  mailServer.mails.filter(({ to }) => to.some((address) => address.includes(text))).length;

describe('mails of POST …/invitations and …/notifications', () => {
  it('go out as far as the hour of the organisation lets them, and the rest in the next hours, each once', async () => {
    const contacts = 2 * LIMIT + 2;
    await makeContacts(contacts);
    await postTo(organisationId);
    await runJobs(service);
    expect(mailsTo('@many')).toBe(LIMIT);
    await runJobs(service);
    expect(mailsTo('@many')).toBe(LIMIT);
    await anHourLater();
    expect(mailsTo('@many')).toBe(2 * LIMIT);
    await anHourLater();
    expect(mailsTo('@many')).toBe(contacts);
    expect(new Set(mailServer.mails.map(({ to }) => to[0])).size).toBe(contacts);
  });

  it('of other customers leave meanwhile, and notifications of the same one', async () => {
    for (let count = 0; count < LIMIT + 2; count++) await invite(`i${count}@invited.example`);
    await runJobs(service);
    expect(mailsTo('@invited.example')).toBe(LIMIT);
    const other = await makeCustomer(service);
    await makeContacts(1, other.organisationId);
    await postTo(other.organisationId, other.custadmin);
    await custadmin.client
      .post(`/organisations/${organisationId}/users/${custadmin.id}/sshkeys`, { content: newPublicKey() })
      .expect(201);
    await custadmin.client.post('/resetting/send_email', { username: custadmin.username }).expect(204);
    await runJobs(service);
    expect(mailsTo('@many')).toBe(1);
    expect(mailsTo(custadmin.username)).toBe(2);
    await anHourLater();
    expect(mailsTo('@invited.example')).toBe(LIMIT + 2);
  });

  it('that wait leave with the invitations first, and the oldest of each', async () => {
    await makeContacts(LIMIT + 2);
    await postTo(organisationId);
    await runJobs(service);
    for (let count = 0; count < LIMIT - 1; count++) await invite(`late${count}@invited.example`);
    await runJobs(service);
    expect([mailsTo('@many'), mailsTo('@invited')]).toEqual([LIMIT, 0]);
    await anHourLater();
    expect([mailsTo('@many'), mailsTo('@invited')]).toEqual([LIMIT + 1, LIMIT - 1]);
    await anHourLater();
    expect(mailsTo('@many')).toBe(LIMIT + 2);
    expect(mailServer.mails.map(({ to }) => to[0]).filter((to) => to?.includes('@many'))).toEqual(
      Array.from({ length: LIMIT + 2 }, (_, made) => `c${made}@many${organisationId}.example`),
    );
  });

  it('of all organisations of a customer are ten times as many', async () => {
    const beneath: number[] = [];
    for (let made = 0; made < 12; made++) {
      const id = await makeOrganisation(service, { parentId: organisationId });
      await makeContacts(LIMIT + 1, id);
      await postTo(id);
      beneath.push(id);
    }
    await runJobs(service);
    expect(mailsTo('@many')).toBe(OF_CUSTOMER);
    const most = Math.max(...beneath.map((id) => mailsTo(`@many${id}.`)));
    expect(most).toBe(LIMIT);
    await anHourLater();
    // One more of each of ten, and four of each of the others.
    expect(mailsTo('@many')).toBe(OF_CUSTOMER + 10 + 2 * LIMIT);
  });

  it('are more for a customer to whom the operator gives more', async () => {
    const { exitCode } = await runCli(service.database, ['limits', String(organisationId), '--times', '2']);
    expect(exitCode).toBe(0);
    await makeContacts(2 * LIMIT + 1);
    await postTo(organisationId);
    await runJobs(service);
    expect(mailsTo('@many')).toBe(2 * LIMIT);
  });

  it('count for nobody where the operator writes them', async () => {
    const admin = await asAdmin(service);
    await makeContacts(LIMIT + 3);
    await postTo(organisationId, { client: admin } as MadeUser);
    await runJobs(service);
    expect(mailsTo('@many')).toBe(LIMIT + 3);
    await invite('after@invited.example');
    await runJobs(service);
    expect(mailsTo('@invited')).toBe(1);
  });

  describe('of posts that would wait longer than three days', () => {
    /** rule notifications 37 */
    const MOST = 72 * LIMIT;
    const MANY = MOST + 5;

    /** Contacts of users, each of whom has 50 at most. */
    const makeMany = (id: number) =>
      service.sql`
        WITH made AS (INSERT INTO users (organisation_id, username, first_name, last_name, password_hash)
          SELECT ${id}, 'user' || n || '@of' || ${id} || '.example', 'Jan', 'Bakker', ''
          FROM generate_series(0, ${MANY - 1}, 50) n RETURNING id)
        INSERT INTO contacts (organisation_id, user_id, type, name, unique_key, groups)
          SELECT ${id}, made.id, 'email', address.name, address.name, ARRAY['App'] FROM made
          CROSS JOIN LATERAL (SELECT 'c' || made.id || '-' || n || '@many' || ${id} || '.example'
            FROM generate_series(1, 50) n) address (name)
          ORDER BY made.id LIMIT ${MANY}`;

    /** The last post of an organisation, and how many of its recipients are in each state. */
    async function lastOf(
      id: number,
    ): Promise<{ status: number; queued: number; sent: number; skipped: number }> {
      const [row] = await service.sql<{ status: number; queued: number; sent: number; skipped: number }>`
        SELECT n.status, (count(*) FILTER (WHERE r.status = 'queued'))::integer AS queued,
          (count(*) FILTER (WHERE r.status = 'sent'))::integer AS sent,
          (count(*) FILTER (WHERE r.status = 'skipped' AND r.message LIKE 'Not mailed: more mails waited%'))::integer AS skipped
        FROM notifications n JOIN notification_recipients r ON r.notification_id = n.id
        WHERE n.id = (SELECT max(id) FROM notifications WHERE organisation_id = ${id} AND is_written) GROUP BY n.id`;
      return row as Awaited<ReturnType<typeof lastOf>>;
    }

    it('are skipped, and the notification says so', async () => {
      await makeMany(organisationId);
      await postTo(organisationId);
      await runJobs(service);
      expect(await lastOf(organisationId)).toEqual({
        status: 0,
        queued: MOST - LIMIT,
        sent: LIMIT,
        skipped: 5,
      });
      await postTo(organisationId);
      await runJobs(service);
      expect(await lastOf(organisationId)).toEqual({
        status: 0,
        queued: LIMIT,
        sent: 0,
        skipped: MANY - LIMIT,
      });
      await postTo(organisationId);
      await runJobs(service);
      expect(await lastOf(organisationId)).toEqual({ status: 2, queued: 0, sent: 0, skipped: MANY });
      await anHourLater();
      expect(mailsTo(`@many${organisationId}.`)).toBe(2 * LIMIT);
      await postTo(organisationId);
      await runJobs(service);
      expect(await lastOf(organisationId)).toEqual({
        status: 0,
        queued: LIMIT,
        sent: 0,
        skipped: MANY - LIMIT,
      });
    });

    it('are skipped of a customer too, where all its organisations have more than leave in a day', async () => {
      const id = await makeOrganisation(service, { parentId: organisationId });
      await postTo(organisationId);
      await service.sql`
        INSERT INTO notification_recipients (notification_id, full_name, language, type, value, status, hash, waits_until)
        SELECT (SELECT max(id) FROM notifications WHERE organisation_id = ${organisationId}), 'Piet Puk', 'nl', 'email',
          'r' || n || '@planted.example', 'queued', gen_random_uuid(), now() + interval '1 hour'
        FROM generate_series(1, ${24 * OF_CUSTOMER - 2}) n`;
      await makeContacts(4, id);
      await postTo(id);
      await runJobs(service);
      expect(await lastOf(id)).toMatchObject({ sent: 2, skipped: 2 });
    });

    it('are none that the operator writes', async () => {
      await makeMany(organisationId);
      await postTo(organisationId, { client: await asAdmin(service) } as MadeUser);
      await runJobs(service);
      expect(await lastOf(organisationId)).toEqual({ status: 1, queued: 0, sent: MANY, skipped: 0 });
    });
  });
});
