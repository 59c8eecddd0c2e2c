import { MailBudget, type MailPot } from '@app/mail/mail-budget';
import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { type MadeUser, makeCustomer } from '../support/factories/factories';
import { newPublicKey } from '../support/factories/key-factories';
import { makeContact } from '../support/factories/records';
import { useMailServer } from '../support/faults/smtp';
import { inTransaction, runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';
import { letTimePass, useOneHour } from '../support/service/time';

useOneHour();

const LIMIT = 12;
/** What news of accounts have at most, and what is kept for news of System. */
const TENTH = 2;
const REST = LIMIT - 2 * TENTH;

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

const budgetOf = () => service.app.get(MailBudget, { strict: false });
const take = (wanted: number, pot: MailPot) =>
  inTransaction(service, (manager) => budgetOf().take(manager, organisationId, wanted, pot));
const used = async () => {
  const [row] = await service.sql`
    SELECT used, used_by_accounts AS accounts, used_by_alarms AS alarms FROM mail_budgets
    WHERE organisation_id = ${organisationId}`;
  return row;
};

/** As if an hour had passed: what waits is due, and the count is of another hour. */
async function anHourLater(): Promise<void> {
  await letTimePass(service, '1 hour');
  await service.sql(`UPDATE ${JOB_TABLE} SET run_at = now() WHERE attempts = 0`);
}

const mailsTo = (text: string): number =>
  mailServer.mails.filter(({ to }) => to.some((address) => address.includes(text))).length;

describe('mail that users cause', () => {
  it('goes out as far as the budget of the hour, and the rest in the next hours, each once', async () => {
    const contacts = 2 * REST + 2;
    for (let count = 0; count < contacts; count++) {
      await makeContact(service, { organisationId, name: `c${count}@many.example`, groups: ['App'] });
    }
    await notify();
    await runJobs(service);
    expect(mailsTo('@many.example')).toBe(REST);
    await runJobs(service);
    expect(mailsTo('@many.example')).toBe(REST);
    await anHourLater();
    await runJobs(service);
    expect(mailsTo('@many.example')).toBe(2 * REST);
    await anHourLater();
    await runJobs(service);
    expect(mailsTo('@many.example')).toBe(contacts);
    expect(new Set(mailServer.mails.map(({ to }) => to[0])).size).toBe(contacts);
  });

  it('counts invitations too, which wait and are not lost; the budget of others is untouched', async () => {
    for (let count = 0; count < REST + 2; count++) await invite(`i${count}@invited.example`);
    await runJobs(service);
    expect(mailsTo('@invited.example')).toBe(REST);
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
    expect(mailsTo('@invited.example')).toBe(REST + 2);
  });

  it('lets recovery mail and mail to the own name out when the budget is used up', async () => {
    for (let count = 0; count < REST; count++) await invite(`j${count}@used.example`);
    await runJobs(service);
    await custadmin.client.post('/resetting/send_email', { username: custadmin.username }).expect(204);
    await custadmin.client
      .post(`/organisations/${organisationId}/users/${custadmin.id}/sshkeys`, { content: newPublicKey() })
      .expect(201);
    await runJobs(service);
    expect(mailsTo(custadmin.username)).toBe(2);
  });

  it('is counted right by sixteen at once, in each pot', async () => {
    const granted = async (pot: MailPot) => {
      const takes = Array.from({ length: 16 }, () => take(1, pot));
      return (await Promise.all(takes)).reduce((sum, one) => sum + one, 0);
    };
    expect(await granted('rest')).toBe(REST);
    expect(await granted('accounts')).toBe(TENTH);
    expect(await granted('alarms')).toBe(TENTH);
    expect(await used()).toEqual({ used: LIMIT, accounts: TENTH, alarms: TENTH });
  });

  it('of System takes of the rest too, but nothing of what is kept for accounts', async () => {
    expect(await take(16, 'alarms')).toBe(LIMIT - TENTH);
    expect(await take(16, 'rest')).toBe(0);
    expect(await take(16, 'accounts')).toBe(TENTH);
    await inTransaction(service, async (manager) => {
      expect(await budgetOf().take(manager, organisationId, 1, 'alarms')).toBe(0);
      await budgetOf().giveBack(manager, organisationId, 3, 'alarms');
    });
    expect(await take(16, 'rest')).toBe(3);
  });

  it('counts in the newer hour for a transaction that began before the hour turned', async () => {
    await take(REST, 'rest');
    await service.sql(`UPDATE mail_budgets SET hour = hour + interval '1 hour'`);
    expect(await take(1, 'rest')).toBe(0);
    expect(await used()).toEqual({ used: REST, accounts: 0, alarms: 0 });
  });

  it.each([
    [1, 'alarms', 1],
    [1, 'rest', 1],
    [2, 'rest', 2],
    [2, 'accounts', 1],
    [3, 'rest', 1],
    [3, 'alarms', 2],
    [10, 'rest', 8],
    [11, 'rest', 7],
  ])('of a limit of %d lets the pot %s have %d', async (most, pot, granted) => {
    const [row] = await service.sql<{ granted: number }>`
      SELECT take_mails(${organisationId}, ${pot}, 20, ${most}) AS granted`;
    expect(row?.granted).toBe(granted);
  });
});
