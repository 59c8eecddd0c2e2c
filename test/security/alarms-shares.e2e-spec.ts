import { type MadeUser, makeCustomer, nextNumber } from '../support/factories/factories';
import { makeContact } from '../support/factories/records';
import { pathOf } from '../support/factories/users-factories';
import { useMailServer } from '../support/faults/smtp';
import { makeJobsDue, runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';
import { letTimePass, useOneHour } from '../support/service/time';

useOneHour();

/**
 * docs/rules/notifications.md: of the hourly mails a tenth, rounded up, is the most for news of accounts, and
 * another is kept for the service's own news of System.
 */
const LIMIT = 11;
const TENTH = 2;
const REST = LIMIT - 2 * TENTH;

const POSTED = 'Onderhoud';
const OF_ACCOUNT = 'Nieuw contact';
const ALARM = 'Nieuwe servicesleutel';

const mailServer = useMailServer();
const service = useService('A', () => ({ settings: { smtpUrl: mailServer.url, mailHourlyLimit: LIMIT } }));

let organisationId: number;
let custadmin: MadeUser;
let plain: MadeUser;
let boss: string;

beforeEach(async () => {
  ({ organisationId, custadmin, plain } = await makeCustomer(service));
  boss = `boss${organisationId}@of.example`;
  await makeContact(service, { organisationId, name: boss, groups: ['System'] });
  mailServer.mails.length = 0;
});

const times = async (count: number, act: () => Promise<unknown>): Promise<void> => {
  for (let done = 0; done < count; done++) await act();
};

const post = (user: MadeUser) =>
  user.client
    .post(`/organisations/${organisationId}/notifications`, {
      group: 'System',
      type: 'note',
      params: { subject: POSTED },
    })
    .expect(201);
const makeServiceKey = () =>
  custadmin.client
    .post(`/organisations/${organisationId}/servicekeys`, {
      name: `Key ${nextNumber()}`,
      operations: ['users.list'],
    })
    .expect(201);
const addContact = () =>
  plain.client
    .post(`${pathOf(plain)}/contacts`, { type: 'email', name: `made${nextNumber()}@made.example` })
    .expect(201);

/** How many mails with the subject the address got. */
const mailsOf = (subject: string, address = boss): number =>
  mailServer.mailsTo(address).filter(({ headers }) => headers.get('subject') === subject).length;

const turnHour = async (): Promise<void> => {
  await letTimePass(service, '1 hour');
  await service.sql(`UPDATE address_news SET hour = hour - interval '1 hour'`);
  await makeJobsDue(service);
  await runJobs(service);
};

describe('the service tells of a key, and of an account', () => {
  it('whatever a manager posts', async () => {
    await times(3 * LIMIT, () => post(custadmin));
    await runJobs(service);
    expect(mailsOf(POSTED)).toBe(REST);
    await makeServiceKey();
    await addContact();
    await runJobs(service);
    expect([mailsOf(ALARM), mailsOf(OF_ACCOUNT)]).toEqual([1, 1]);
    await turnHour();
    expect(mailsOf(POSTED)).toBe(2 * REST);
  });

  it('before posts that waited longer, also beyond the tenth', async () => {
    await times(2 * LIMIT, () => post(custadmin));
    await runJobs(service);
    await times(2 * TENTH + 1, makeServiceKey);
    await runJobs(service);
    expect([mailsOf(POSTED), mailsOf(ALARM)]).toEqual([REST, TENTH]);
    await turnHour();
    expect([mailsOf(POSTED), mailsOf(ALARM)]).toEqual([2 * REST - 1, 2 * TENTH + 1]);
  });
});

describe('news of what users do to their own accounts', () => {
  /** News of accounts to one address in an hour. */
  const MOST = 10;
  const MADE = 2 * MOST;
  let others: string[];
  beforeEach(async () => {
    others = ['two', 'three'].map((name) => `${name}${organisationId}@of.example`);
    for (const name of others) await makeContact(service, { organisationId, name, groups: ['System'] });
  });
  const ofAccounts = () => [boss, ...others].reduce((sum, address) => sum + mailsOf(OF_ACCOUNT, address), 0);

  it('take a tenth of the hour together, and leave alarms and invitations theirs', async () => {
    await times(4, addContact);
    await runJobs(service);
    expect(ofAccounts()).toBe(TENTH);
    expect(mailsOf(OF_ACCOUNT, plain.username)).toBe(4);
    await makeServiceKey();
    const email = `invited${organisationId}@of.example`;
    await custadmin.client
      .post(`/organisations/${organisationId}/invitations`, { email, firstName: 'New', lastName: 'User' })
      .expect(201);
    await runJobs(service);
    expect([mailsOf(ALARM), mailServer.mailsTo(email).length]).toEqual([1, 1]);
    await turnHour();
    expect(ofAccounts()).toBe(2 * TENTH);
  });

  it('wait in no longer row than an address is mailed in an hour', async () => {
    await times(MADE, addContact);
    await runJobs(service);
    const rows = await service.sql`
      SELECT r.status, count(*)::integer AS count FROM notification_recipients r JOIN notifications n ON n.id = r.notification_id
      WHERE n.organisation_id = ${organisationId} AND r.kind = 'contact' GROUP BY r.status ORDER BY r.status`;
    expect(rows).toEqual([
      { status: 'queued', count: 3 * MOST - TENTH },
      { status: 'sent', count: TENTH },
      { status: 'skipped', count: 3 * (MADE - MOST) },
    ]);
  });
});
