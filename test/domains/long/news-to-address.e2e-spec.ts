import { countNews } from '@app/mail/address-news';
import { CleanUpHandler } from '@app/platform/jobs/clean-up';
import { makeDocument } from '../../support/factories/documents-factories';
import {
  type MadeUser,
  makeCustomer,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../../support/factories/factories';
import { makeApiKey } from '../../support/factories/key-factories';
import { makeContact } from '../../support/factories/records';
import { useMailServer } from '../../support/faults/smtp';
import { SHARED_VARIANTS } from '../../support/generators/sampled';
import { atOnce } from '../../support/service/at-once';
import { asAdmin } from '../../support/service/client';
import { inTransaction, makeJobsDue, runJob, runJobs } from '../../support/service/jobs';
import { useService } from '../../support/service/service';
import { makeOlder, moveTestClock, useOneHour } from '../../support/service/time';

useOneHour();

/** rule notifications 37 */
const MOST = 20;
const MOST_OF_ACCOUNTS = 10;

const HOUR = 3600;
const LIMIT = 200;
/** What is kept for news of accounts. */
const TENTH = 20;

const NO_MORE_OF_ACCOUNTS =
  'geen e-mail meer over wat gebruikers van deze organisatie met hun eigen account doen';
const NO_MORE = 'geen e-mail over deze organisatie meer';
const NO_MORE_OF_KIND = 'geen e-mail van deze soort meer';
const WHERE_TO_LOOK = 'U vindt alles bij de meldingen in het klantenpaneel.';

interface Recipient {
  readonly value: string;
  readonly status: number;
  readonly message?: string;
}

const mailServer = useMailServer();

describe.each(SHARED_VARIANTS)('news to one address in Variant %s', (variant) => {
  const service = useService(variant, () => ({
    settings: { smtpUrl: mailServer.url, mailHourlyLimit: LIMIT, testClock: true },
  }));

  let organisationId: number;
  let custadmin: MadeUser;
  let plain: MadeUser;
  let boss: string;

  beforeEach(async () => {
    ({ organisationId, custadmin, plain } = await makeCustomer(service));
    boss = `boss${organisationId}@of.example`;
    await makeContact(service, { organisationId, name: boss, groups: ['System'] });
    mailServer.refuse(false);
    mailServer.mails.length = 0;
  });

  const pathOf = (user: MadeUser) => `/organisations/${user.organisationId}/users/${user.id}`;

  /** News of an account: the user's own act. */
  const makeOwn = async (user = plain): Promise<void> => {
    const body = { type: 'email', name: `made${nextNumber()}@made.example` };
    await user.client.post(`${pathOf(user)}/contacts`, body).expect(201);
  };
  /** Other news. */
  const makeServiceKey = async (user = custadmin): Promise<void> => {
    const body = { name: `Service ${nextNumber()}`, operations: ['users.list'] };
    await user.client.post(`/organisations/${user.organisationId}/servicekeys`, body).expect(201);
  };
  const times = async (count: number, act: () => Promise<void>): Promise<void> => {
    for (let done = 0; done < count; done++) await act();
  };
  const textsTo = (address: string): string[] => mailServer.mailsTo(address).map(({ text }) => text);
  /** The numbers of the mails to the address that say it, from 1. */
  const saying = (address: string, words: string): number[] =>
    textsTo(address).flatMap((text, index) => (text.includes(words) ? [index + 1] : []));

  const recipientsOf = async (address: string): Promise<Recipient[]> => {
    const { body } = await custadmin.client
      .get(`/organisations/${organisationId}/notifications?limit=0`)
      .expect(200);
    const { notifications } = body as {
      notifications: { contacts: Recipient[]; extraRecipients: Recipient[] }[];
    };
    return notifications
      .flatMap(({ contacts, extraRecipients }) => [...contacts, ...extraRecipients])
      .filter(({ value }) => value === address);
  };
  const turnHour = async (): Promise<void> => {
    await moveTestClock(service, HOUR);
  };

  it('is mailed ten times of what users do to their own accounts, and the tenth mail says so', async () => {
    await times(MOST_OF_ACCOUNTS + 2, makeOwn);
    await runJobs(service);
    expect(textsTo(boss)).toHaveLength(MOST_OF_ACCOUNTS);
    expect(saying(boss, NO_MORE_OF_ACCOUNTS)).toEqual([MOST_OF_ACCOUNTS]);
    expect(saying(boss, WHERE_TO_LOOK)).toEqual([MOST_OF_ACCOUNTS]);
    expect((await recipientsOf(boss)).map(({ status }) => status)).toEqual([
      ...Array.from({ length: MOST_OF_ACCOUNTS }, () => 1),
      4,
      4,
    ]);
    const held = (await recipientsOf(boss)).at(-1);
    expect(held?.message).toMatch(/^Held back: /);
    const { body } = await custadmin.client
      .get(`/organisations/${organisationId}/notifications?limit=0`)
      .expect(200);
    const { notifications } = body as { notifications: { status: number }[] };
    const statuses = notifications.map(({ status }) => status).sort();
    // Nobody was reached by the last two.
    expect(statuses).toEqual([...Array.from({ length: MOST_OF_ACCOUNTS }, () => 1), 2, 2]);
  });

  it('is mailed ten times of the own account, whatever colleagues do, and the tenth says so', async () => {
    await times(MOST_OF_ACCOUNTS, () => makeOwn(custadmin));
    await times(MOST_OF_ACCOUNTS + 1, makeOwn);
    await runJobs(service);
    expect(textsTo(plain.username)).toHaveLength(MOST_OF_ACCOUNTS);
    expect(saying(plain.username, NO_MORE_OF_ACCOUNTS)).toEqual([MOST_OF_ACCOUNTS]);
    expect(saying(plain.username, WHERE_TO_LOOK)).toEqual([MOST_OF_ACCOUNTS]);
    const { body } = await custadmin.client
      .get(`/organisations/${organisationId}/notifications?limit=1&orderBy=id&orderType=desc`)
      .expect(200);
    // Nobody was reached.
    expect((body as { notifications: { status: number }[] }).notifications).toMatchObject([{ status: 2 }]);
  });

  it('is mailed twenty times in all, and the twentieth says so', async () => {
    await times(MOST_OF_ACCOUNTS + 1, makeOwn);
    await times(MOST - MOST_OF_ACCOUNTS + 1, makeServiceKey);
    await runJobs(service);
    expect(textsTo(boss)).toHaveLength(MOST);
    expect(saying(boss, NO_MORE)).toEqual([MOST]);
    await makeOwn(custadmin);
    await runJobs(service);
    expect(textsTo(boss)).toHaveLength(MOST);
    // Its own address has had none.
    expect(textsTo(custadmin.username)).toHaveLength(1);
  });

  it('is mailed twenty times of other news, which leave no room for accounts', async () => {
    await times(3, makeOwn);
    await times(MOST, makeServiceKey);
    await makeOwn();
    await runJobs(service);
    expect(textsTo(boss)).toHaveLength(MOST);
    expect(saying(boss, NO_MORE_OF_ACCOUNTS)).toEqual([]);
    expect(saying(boss, NO_MORE)).toEqual([MOST]);
    expect(textsTo(plain.username)).toHaveLength(4);
  });

  it('counts what a manager does to the account of another as other news', async () => {
    await times(MOST_OF_ACCOUNTS, () => makeOwn(plain));
    const body = { type: 'email', name: 'other@of.example' };
    await custadmin.client.post(`${pathOf(plain)}/contacts`, body).expect(201);
    await runJobs(service);
    for (const address of [boss, plain.username]) expect(textsTo(address)).toHaveLength(11);
  });

  it('counts each organisation by itself, and an address in any spelling as one', async () => {
    const other = await makeCustomer(service);
    const shared = `shared${organisationId}@both.example`;
    const inAll = [organisationId, other.organisationId];
    for (const id of inAll)
      await makeContact(service, { organisationId: id, name: shared, groups: ['System'] });
    await times(MOST_OF_ACCOUNTS + 1, () => makeOwn(plain));
    await times(MOST_OF_ACCOUNTS + 1, () => makeOwn(other.plain));
    await runJobs(service);
    expect(textsTo(shared)).toHaveLength(2 * MOST_OF_ACCOUNTS);
    await service.sql`UPDATE contacts SET name = upper(name) WHERE name = ${shared}`;
    await times(1, () => makeOwn(plain));
    await runJobs(service);
    expect(textsTo(shared.toUpperCase())).toEqual([]);
  });

  it('counts mails about a grant for its giver, so that no stranger uses up the room of the grantee', async () => {
    const grantee = await makeCustomer(service);
    const name = `boss${grantee.organisationId}@grantee.example`;
    await makeContact(service, { organisationId: grantee.organisationId, name, groups: ['System'] });
    await custadmin.client
      .post(`/organisations/${organisationId}/grants`, {
        organisation: grantee.organisationId,
        access: 'manage',
      })
      .expect(201);
    await runJobs(service);
    expect(textsTo(name)).toHaveLength(1);
    const counts = await service.sql`SELECT organisation_id AS id, mails FROM address_news
      WHERE address_digest = address_digest(${name})`;
    expect(counts).toEqual([{ id: organisationId, mails: 1 }]);
  });

  it('counts an address that is a contact and the own name once for each notification', async () => {
    await makeContact(service, {
      organisationId,
      userId: custadmin.id,
      name: custadmin.username,
      groups: ['System'],
    });
    await times(MOST_OF_ACCOUNTS, () => makeOwn(custadmin));
    await runJobs(service);
    expect(textsTo(custadmin.username)).toHaveLength(MOST_OF_ACCOUNTS);
    expect(saying(custadmin.username, WHERE_TO_LOOK)).toEqual([MOST_OF_ACCOUNTS]);
  });

  it('counts anew when the hour turns', async () => {
    await times(MOST_OF_ACCOUNTS + 1, makeOwn);
    await runJobs(service);
    await turnHour();
    await makeOwn();
    await runJobs(service);
    expect(textsTo(boss)).toHaveLength(MOST_OF_ACCOUNTS + 1);
    expect(saying(boss, WHERE_TO_LOOK)).toEqual([MOST_OF_ACCOUNTS]);
  });

  it('counts no mail again that is tried again', async () => {
    mailServer.refuse(true);
    await times(MOST_OF_ACCOUNTS - 1, makeOwn);
    await runJobs(service);
    await makeJobsDue(service);
    await runJobs(service);
    mailServer.refuse(false);
    await makeJobsDue(service);
    await runJobs(service);
    await times(2, makeOwn);
    await runJobs(service);
    expect(textsTo(boss)).toHaveLength(MOST_OF_ACCOUNTS);
    expect(textsTo(plain.username)).toHaveLength(MOST_OF_ACCOUNTS);
  });

  it('is counted right by sixteen at once', async () => {
    await atOnce(16, () => makeOwn());
    await Promise.all([runJobs(service), runJobs(service), runJobs(service), runJobs(service)]);
    expect(textsTo(boss)).toHaveLength(MOST_OF_ACCOUNTS);
    expect(saying(boss, WHERE_TO_LOOK)).toHaveLength(1);
    expect(textsTo(plain.username)).toHaveLength(MOST_OF_ACCOUNTS);
    const verdicts = await Promise.all(
      Array.from({ length: 2 * 16 }, () =>
        inTransaction(service, (manager) =>
          countNews(manager, organisationId, 'sixteen@of.example', 'renamed'),
        ),
      ),
    );
    expect(verdicts.filter((verdict) => verdict !== 'held')).toHaveLength(MOST);
    expect(verdicts.filter((verdict) => verdict === 'kind')).toHaveLength(1);
  });

  it('that is held back leaves the mails of the hour to others', async () => {
    await times(2 * MOST_OF_ACCOUNTS, makeOwn);
    await runJobs(service);
    expect(textsTo(boss)).toHaveLength(MOST_OF_ACCOUNTS);
    const [budget] = await service.sql<{ used: number }>`
      SELECT used FROM mail_budgets WHERE organisation_id = ${organisationId}`;
    expect(budget?.used).toBe(MOST_OF_ACCOUNTS);
  });

  it('that waits for the mails of the next hour counts in that hour', async () => {
    const contacts = Array.from({ length: 40 }, (_, index) => `c${index}@${organisationId}.example`);
    for (const name of contacts) await makeContact(service, { organisationId, name, groups: ['System'] });
    await times(5, makeServiceKey);
    await runJobs(service);
    expect(mailServer.mails).toHaveLength(LIMIT - TENTH);
    const counted = async () =>
      (
        await service.sql<{ mails: number }>`
          SELECT coalesce(sum(mails), 0)::integer AS mails FROM address_news
          WHERE organisation_id = ${organisationId} AND hour = date_trunc('hour', now(), 'UTC')`
      )[0]?.mails;
    expect(await counted()).toBe(LIMIT - TENTH);
    await turnHour();
    await makeJobsDue(service);
    await runJobs(service);
    expect(mailServer.mails).toHaveLength(5 * 41);
    expect(await counted()).toBe(5 * 41 - (LIMIT - TENTH));
  });

  it('never holds back recovery, links that undo, what programs and managers write, and what falls due', async () => {
    await makeContact(service, { organisationId, name: plain.username, groups: ['System', 'Finance'] });
    await times(MOST_OF_ACCOUNTS + 1, makeOwn);
    await times(MOST, makeServiceKey);
    await runJobs(service);
    mailServer.mails.length = 0;
    await turnHour();
    await service.sql`UPDATE address_news SET hour = date_trunc('hour', now(), 'UTC'), mails = ${MOST},
      account_mails = ${MOST_OF_ACCOUNTS} WHERE organisation_id = ${organisationId}`;

    const words = {
      subject: 'See https://www.status.example',
      message: 'Look at https://www.status.example',
    };
    await custadmin.client
      .post(`/organisations/${organisationId}/notifications`, {
        type: 'maintenance',
        group: 'System',
        params: words,
      })
      .expect(201);
    const documentId = await makeDocument(service, organisationId);
    await (
      await asAdmin(service)
    )
      .post(`/organisations/${organisationId}/documents/${documentId}/send`)
      .expect(200);
    await custadmin.client.post('/resetting/send_email', { username: plain.username }).expect(204);
    const { id: ending } = await makeApiKey(service, plain.id, { expiresIn: '36 days' });
    await makeOlder(service, 'api_keys', { id: ending }, '30 days');
    await service.sql`SELECT graphile_worker.add_job('apikeys.announceEnds', '{}')`;
    await runJobs(service);
    const renamed = { firstName: 'Jan', lastName: 'de Vries', username: `renamed.${plain.username}` };
    await plain.client.patch(pathOf(plain), renamed).expect(204);
    await makeOwn();
    await runJobs(service);

    const subjects = mailServer.mailsTo(plain.username).map(({ headers }) => headers.get('subject'));
    expect(subjects.sort()).toEqual(
      [
        words.subject,
        `Nieuw document (Invoice ${documentId})`,
        'Uw wachtwoord opnieuw instellen',
        'API-sleutel verloopt binnen 7 dagen',
        'Uw gebruikersnaam is gewijzigd',
      ].sort(),
    );
    const written = mailServer.mailsTo(boss).filter(({ text }) => text.includes(words.message));
    expect(written.map(({ headers }) => headers.get('subject'))).toEqual([words.subject]);
  });

  it('counts the plain mail of a rename by a manager, to the old address', async () => {
    const victim = `victim${organisationId}@else.example`;
    const rename = (username: string) =>
      custadmin.client.patch(pathOf(plain), { firstName: 'Jan', lastName: 'de Vries', username }).expect(204);
    for (let round = 0; round < 25; round++) {
      await rename(victim);
      await rename(plain.username);
    }
    await runJobs(service);
    expect(textsTo(plain.username)).toHaveLength(MOST);
    expect(saying(plain.username, NO_MORE_OF_KIND)).toHaveLength(1);
    // Nobody has verified the other address: it is told in bare words, and the link that verifies it
    // ended before it was mailed.
    expect(textsTo(victim)).toHaveLength(MOST);
    expect(saying(victim, plain.username)).toEqual([]);
  });

  it('counts the mails about users who are deleted', async () => {
    const mailed: number[] = [];
    const told = `told${organisationId}@of.example`;
    await makeContact(service, { organisationId, name: told, groups: ['System'] });
    for (let round = 0; round < MOST + 1; round++) {
      const user = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
      await custadmin.client.delete(pathOf(user)).expect(204);
      await runJobs(service);
      await service.sql`DELETE FROM mail_budgets WHERE organisation_id = ${organisationId}`;
      mailed.push(textsTo(told).length);
    }
    expect(mailed.slice(-2)).toEqual([MOST, MOST]);
    expect(saying(told, NO_MORE_OF_KIND)).toEqual([MOST]);
  });

  it('counts nothing for a change that is rolled back', async () => {
    await service.sql`ALTER TABLE notifications ADD CONSTRAINT tests_refuse CHECK (type <> 'password_changed')`;
    const body = { oldPassword: PASSWORD, password: 'An0ther-Passw0rd' };
    const answer = await plain.client.post(`${pathOf(plain)}/changepassword`, body);
    await service.sql`ALTER TABLE notifications DROP CONSTRAINT tests_refuse`;
    expect(answer.status).not.toBe(200);
    expect(await service.sql`SELECT 1 FROM address_news WHERE organisation_id = ${organisationId}`).toEqual(
      [],
    );
  });

  it('has counts without a readable address, which leave after a day', async () => {
    await makeOwn();
    await runJobs(service);
    const rows = async () => service.sql`SELECT a::text AS row FROM address_news a
      WHERE organisation_id = ${organisationId}`;
    expect(await rows()).toHaveLength(2);
    expect(JSON.stringify(await rows())).not.toMatch(/@|example/);
    await runJob(service, CleanUpHandler);
    expect(await rows()).toHaveLength(2);
    await moveTestClock(service, 26 * HOUR);
    await runJob(service, CleanUpHandler);
    expect(await rows()).toEqual([]);
  });
});
