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
});
