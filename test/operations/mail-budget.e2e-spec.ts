import { MailBudget } from '@app/mail/mail-budget';
import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { type MadeUser, makeCustomer } from '../support/factories/factories';
import { newPublicKey } from '../support/factories/key-factories';
import { makeContact } from '../support/factories/records';
import { useMailServer } from '../support/faults/smtp';
import { inTransaction, runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';

const LIMIT = 5;

let organisationId: number;
let custadmin: MadeUser;

const mailServer = useMailServer();
const service = useService('A', () => ({ settings: { smtpUrl: mailServer.url, mailHourlyLimit: LIMIT } }));

beforeEach(async () => {
  mailServer.mails.length = 0;
  ({ organisationId, custadmin } = await makeCustomer(service));
});

const notify = () =>
  custadmin.client
    .post(`/organisations/${organisationId}/notifications`, { type: 'x', group: 'App' })
    .expect(201);

const invite = (email: string) =>
  custadmin.client
    .post(`/organisations/${organisationId}/invitations`, { email, firstName: 'New', lastName: 'User' })
    .expect(201);

/** As if an hour had passed: what waits is due, and the count is of another hour. */
async function anHourLater(): Promise<void> {
  await service.sql(`UPDATE mail_budgets SET hour = hour - interval '1 hour'`);
  await service.sql(`UPDATE ${JOB_TABLE} SET run_at = now() WHERE attempts = 0`);
}

const mailsTo = (text: string): number =>
  mailServer.mails.filter(({ to }) => to.some((address) => address.includes(text))).length;

describe('mail that users cause', () => {
  it('goes out as far as the budget of the hour, and the rest in the next hours, each once', async () => {
    for (let count = 0; count < 12; count++) {
      await makeContact(service, { organisationId, name: `c${count}@many.example`, groups: ['App'] });
    }
    await notify();
    await runJobs(service);
    expect(mailsTo('@many.example')).toBe(LIMIT);
    await runJobs(service);
    expect(mailsTo('@many.example')).toBe(LIMIT);
    await anHourLater();
    await runJobs(service);
    expect(mailsTo('@many.example')).toBe(2 * LIMIT);
    await anHourLater();
    await runJobs(service);
    expect(mailsTo('@many.example')).toBe(12);
    expect(new Set(mailServer.mails.map(({ to }) => to[0])).size).toBe(12);
  });

  it('counts invitations too, which wait and are not lost; the budget of others is untouched', async () => {
    for (let count = 0; count < LIMIT + 2; count++) await invite(`i${count}@invited.example`);
    await runJobs(service);
    expect(mailsTo('@invited.example')).toBe(LIMIT);
    const other = await makeCustomer(service);
    await other.custadmin.client
      .post(`/organisations/${other.organisationId}/invitations`, {
        email: 'other@else.example',
        firstName: 'New',
        lastName: 'User',
      })
      .expect(201);
    await runJobs(service);
    expect(mailsTo('@else.example')).toBe(1);
    await anHourLater();
    await runJobs(service);
    expect(mailsTo('@invited.example')).toBe(LIMIT + 2);
  });

  it('lets recovery mail and mail to the own name out when the budget is used up', async () => {
    for (let count = 0; count < LIMIT; count++) await invite(`j${count}@used.example`);
    await runJobs(service);
    await custadmin.client.post('/resetting/send_email', { username: custadmin.username }).expect(204);
    await custadmin.client
      .post(`/organisations/${organisationId}/users/${custadmin.id}/sshkeys`, { content: newPublicKey() })
      .expect(201);
    await runJobs(service);
    expect(mailsTo(custadmin.username)).toBe(2);
  });

  it('is counted right by sixteen at once', async () => {
    const budget = service.app.get(MailBudget, { strict: false });
    const takes = Array.from({ length: 16 }, () =>
      inTransaction(service, (manager) => budget.take(manager, organisationId, 1)),
    );
    const granted = (await Promise.all(takes)).reduce((sum, one) => sum + one, 0);
    expect(granted).toBe(LIMIT);
  });
});
