import { CleanUpHandler } from '@app/platform/jobs/clean-up';
import { makeDocument } from '../../support/factories/documents-factories';
import {
  type MadeUser,
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../../support/factories/factories';
import { makeApiKey, newPublicKey } from '../../support/factories/key-factories';
import { makeContact } from '../../support/factories/records';
import { useMailServer } from '../../support/faults/smtp';
import { SHARED_VARIANTS } from '../../support/generators/sampled';
import { atOnce } from '../../support/service/at-once';
import { asAdmin } from '../../support/service/client';
import { makeJobsDue, runJob, runJobs } from '../../support/service/jobs';
import { useService } from '../../support/service/service';
import { makeOlder, moveTestClock, useOneHour } from '../../support/service/time';

useOneHour();

/** rule notifications 35 */
const MOST = 5;
/** rule notifications 36 */
const SIXTY = 60;

const HOUR = 3600;

const NO_MORE = 'krijgt u het komende uur geen e-mail meer';
const WHERE_TO_LOOK = 'u vindt ze bij de meldingen in het klantenpaneel.';

interface Recipient {
  readonly value: string;
  readonly status: number;
  readonly message?: string;
}

const mailServer = useMailServer();

describe.each(SHARED_VARIANTS)('mails to one address in Variant %s', (variant) => {
  const service = useService(variant, () => ({
    settings: { smtpUrl: mailServer.url, mailHourlyLimit: 'off', testClock: true },
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

  const addContact = async (user = plain, name = `made${nextNumber()}@made.example`): Promise<void> => {
    await user.client.post(`${pathOf(user)}/contacts`, { type: 'email', name }).expect(201);
  };
  const makeServiceKey = async (id = organisationId, client = custadmin.client): Promise<void> => {
    const body = { name: `Service ${nextNumber()}`, operations: ['users.list'] };
    await client.post(`/organisations/${id}/servicekeys`, body).expect(201);
  };
  const post = async (params: object = {}, group = 'App'): Promise<void> => {
    const body = { type: 'note', group, params };
    await custadmin.client.post(`/organisations/${organisationId}/notifications`, body).expect(201);
  };
  const times = async (count: number, act: () => Promise<void>): Promise<void> => {
    for (let done = 0; done < count; done++) await act();
  };
  const textsTo = (address: string): string[] => mailServer.mailsTo(address).map(({ text }) => text);
  const subjectsTo = (address: string): string[] =>
    mailServer
      .mailsTo(address)
      .map(({ headers }) => headers.get('subject') ?? '')
      .sort();
  const saying = (address: string, words: string): string[] =>
    textsTo(address).filter((text) => text.includes(words));

  const notifications = async () => {
    const { body } = await custadmin.client
      .get(`/organisations/${organisationId}/notifications?limit=0`)
      .expect(200);
    return (
      body as { notifications: { status: number; contacts: Recipient[]; extraRecipients: Recipient[] }[] }
    ).notifications;
  };
  const recipientsOf = async (address: string): Promise<Recipient[]> =>
    (await notifications())
      .flatMap(({ contacts, extraRecipients }) => [...contacts, ...extraRecipients])
      .filter(({ value }) => value === address);

  describe('of notifications', () => {
    it('are five of one kind in an hour, of which the last says so; the others are skipped', async () => {
      for (let made = 1; made <= MOST + 2; made++) await addContact(plain, `number${made}@made.example`);
      await runJobs(service);
      expect(textsTo(boss)).toHaveLength(MOST);
      // Mails of one turn arrive in any order.
      expect(saying(boss, NO_MORE)).toEqual([expect.stringContaining(`number${MOST}@made.example`)]);
      expect(saying(boss, WHERE_TO_LOOK)).toHaveLength(1);
      expect((await recipientsOf(boss)).map(({ status }) => status)).toEqual([1, 1, 1, 1, 1, 4, 4]);
      expect((await recipientsOf(boss)).at(-1)?.message).toMatch(/^Not mailed: /);
      // Nobody was reached by the last two.
      const statuses = (await notifications()).map(({ status }) => status).sort();
      expect(statuses).toEqual([1, 1, 1, 1, 1, 2, 2]);
    });

    it('are five of each other kind, whatever is done of the first', async () => {
      await times(MOST + 1, () => addContact());
      await times(MOST + 1, makeServiceKey);
      await custadmin.client
        .post(`${pathOf(custadmin)}/changepassword`, { oldPassword: PASSWORD, password: 'An0ther-Passw0rd' })
        .expect(200);
      await runJobs(service);
      const kinds = [
        ...Array.from({ length: MOST }, () => 'Nieuw contact'),
        ...Array.from({ length: MOST }, () => 'Nieuwe servicesleutel'),
        'Wachtwoord gewijzigd',
      ];
      expect(subjectsTo(boss)).toEqual(kinds);
    });

    it('are five of the own account, whatever colleagues do', async () => {
      await times(MOST + 1, () => addContact(custadmin));
      await times(MOST + 1, () => addContact());
      await runJobs(service);
      expect(textsTo(custadmin.username)).toHaveLength(MOST);
      expect(textsTo(plain.username)).toHaveLength(MOST);
      expect(saying(plain.username, NO_MORE)).toHaveLength(1);
      expect(textsTo(boss)).toHaveLength(MOST);
    });

    it('count each organisation by itself, and an address in any spelling as one', async () => {
      const other = await makeCustomer(service);
      const shared = `shared${organisationId}@both.example`;
      for (const id of [organisationId, other.organisationId])
        await makeContact(service, { organisationId: id, name: shared, groups: ['System'] });
      await times(MOST + 1, () => addContact(plain));
      await times(MOST + 1, () => addContact(other.plain));
      await runJobs(service);
      expect(textsTo(shared)).toHaveLength(2 * MOST);
      await service.sql`UPDATE contacts SET name = upper(name) WHERE name = ${shared}`;
      await addContact(plain);
      await runJobs(service);
      expect(textsTo(shared.toUpperCase())).toEqual([]);
    });

    it('begin anew an hour after the first', async () => {
      await times(MOST + 1, () => addContact());
      await runJobs(service);
      await moveTestClock(service, HOUR);
      await addContact();
      await runJobs(service);
      expect(textsTo(boss)).toHaveLength(MOST + 1);
      expect(saying(boss, NO_MORE)).toHaveLength(1);
    });

    it('count once, although they are tried again', async () => {
      mailServer.refuse(true);
      await times(MOST - 1, () => addContact());
      await runJobs(service);
      await makeJobsDue(service);
      await runJobs(service);
      mailServer.refuse(false);
      await makeJobsDue(service);
      await runJobs(service);
      await times(2, () => addContact());
      await runJobs(service);
      for (const address of [boss, plain.username]) expect(textsTo(address)).toHaveLength(MOST);
    });

    it('are counted right by sixteen at once', async () => {
      await atOnce(16, () => addContact());
      await Promise.all([runJobs(service), runJobs(service), runJobs(service), runJobs(service)]);
      for (const address of [boss, plain.username]) {
        expect(textsTo(address)).toHaveLength(MOST);
        expect(saying(address, NO_MORE)).toHaveLength(1);
      }
    });

    it('reach the address itself that goes, however often the others were told', async () => {
      await times(MOST + 1, async () => {
        const id = await makeContact(service, { organisationId, name: `gone${nextNumber()}@of.example` });
        await custadmin.client.delete(`/organisations/${organisationId}/contacts/${id}`).expect(204);
      });
      const [contact] = await service.sql<{ id: number }>`SELECT id FROM contacts WHERE name = ${boss}`;
      await custadmin.client.delete(`/organisations/${organisationId}/contacts/${contact?.id}`).expect(204);
      await runJobs(service);
      // Five as a contact, and one as the address that goes.
      expect(subjectsTo(boss)).toEqual(Array.from({ length: MOST + 1 }, () => 'Contact verwijderd'));
    });

    it('of one customer to an address that is no user name of it are sixty, whatever their kinds', async () => {
      const stranger = `stranger${organisationId}@far.example`;
      for (let made = 0; made < 15; made++) {
        const id = await makeOrganisation(service, { parentId: organisationId });
        await makeContact(service, { organisationId: id, name: stranger, groups: ['System'] });
        await makeContact(service, { organisationId: id, name: custadmin.username, groups: ['System'] });
        await times(MOST, () => makeServiceKey(id));
      }
      await runJobs(service);
      expect(textsTo(stranger)).toHaveLength(SIXTY);
      expect(textsTo(custadmin.username)).toHaveLength(15 * MOST);
      const held = await service.sql<{ message: string }>`
        SELECT DISTINCT message FROM notification_recipients WHERE value = ${stranger} AND status = 'skipped'`;
      expect(held).toEqual([
        {
          message:
            'Not mailed: this address got the most mails that one customer may cause to it within the hour.',
        },
      ]);
      // What the operator and other customers cause does not count for it.
      await makeServiceKey(organisationId, await asAdmin(service));
      await makeContact(service, { organisationId, name: stranger, groups: ['System'] });
      await makeServiceKey(organisationId, await asAdmin(service));
      await runJobs(service);
      expect(textsTo(stranger)).toHaveLength(SIXTY + 1);
    });

    it('of a stranger’s user name that users enter are sixty too', async () => {
      const stranger = `unverified${organisationId}@far.example`;
      const name = (user: MadeUser, username: string) =>
        custadmin.client
          .patch(pathOf(user), { username, firstName: 'Jan', lastName: 'de Vries' })
          .expect(204);
      for (let round = 0; round < 14; round++) {
        const user = await makeUser(service, { organisationId });
        await name(user, stranger);
        await times(MOST, () => addContact(user));
        await name(user, user.username);
      }
      await runJobs(service);
      expect(textsTo(stranger)).toHaveLength(SIXTY);
    });

    it('of recovery, of documents, of what ends by itself and of posts are not among them', async () => {
      await makeContact(service, { organisationId, name: plain.username, groups: ['System', 'Finance'] });
      const admin = await asAdmin(service);
      const documentIds = await Promise.all(
        Array.from({ length: MOST + 1 }, () => makeDocument(service, organisationId)),
      );
      for (const id of documentIds)
        await admin.post(`/organisations/${organisationId}/documents/${id}/send`).expect(200);
      await times(MOST + 1, async () => {
        const { id } = await makeApiKey(service, plain.id, { expiresIn: '36 days' });
        await makeOlder(service, 'api_keys', { id }, '30 days');
      });
      await service.sql`SELECT graphile_worker.add_job('apikeys.announceEnds', '{}')`;
      await times(MOST + 1, () => post({ subject: 'Onderhoud' }, 'System'));
      await custadmin.client.post('/resetting/send_email', { username: plain.username }).expect(204);
      await runJobs(service);
      const subjects = subjectsTo(plain.username);
      const count = (words: string) => subjects.filter((subject) => subject.startsWith(words)).length;
      expect(['Nieuw document', 'API-sleutel verloopt', 'Onderhoud', 'Uw wachtwoord'].map(count)).toEqual([
        MOST + 1,
        MOST + 1,
        MOST + 1,
        1,
      ]);
    });

    it('of renames reach the mailbox before five times for a user', async () => {
      const victim = `victim${organisationId}@else.example`;
      const rename = (username: string) =>
        custadmin.client
          .patch(pathOf(plain), { firstName: 'Jan', lastName: 'de Vries', username })
          .expect(204);
      for (let round = 0; round < MOST + 2; round++) {
        await rename(victim);
        await rename(plain.username);
      }
      await runJobs(service);
      expect(saying(plain.username, NO_MORE)).toHaveLength(1);
      expect(textsTo(plain.username)).toHaveLength(MOST);
      // Nobody has verified the other address: it is told in redacted words, and the link that verifies it
      // ended before it was mailed.
      expect(textsTo(victim)).toHaveLength(MOST);
      expect(saying(victim, plain.username)).toEqual([]);
    });

    it('count nothing for a change that is rolled back', async () => {
      await times(MOST, () => addContact(plain));
      await service.sql`ALTER TABLE notifications ADD CONSTRAINT tests_refuse CHECK (type <> 'new') NOT VALID`;
      const body = { type: 'email', name: 'refused@of.example' };
      const answer = await plain.client.post(`${pathOf(plain)}/contacts`, body);
      await service.sql`ALTER TABLE notifications DROP CONSTRAINT tests_refuse`;
      expect(answer.status).not.toBe(201);
      await runJobs(service);
      expect(textsTo(boss)).toHaveLength(MOST);
      expect((await recipientsOf(boss)).map(({ status }) => status)).toEqual([1, 1, 1, 1, 1]);
    });

    it('have counts without a readable address, which leave after the hour', async () => {
      await service.sql`DELETE FROM attempts`;
      await addContact();
      await runJobs(service);
      const rows = async () => service.sql`SELECT a::text AS row FROM attempts a`;
      expect((await rows()).length).toBeGreaterThanOrEqual(2);
      expect(JSON.stringify(await rows())).not.toMatch(/@|example/);
      await moveTestClock(service, 26 * HOUR);
      await runJob(service, CleanUpHandler);
      expect(await rows()).toEqual([]);
    });
  });

  describe('of invitations and posts', () => {
    it('are sixty of one customer in an hour: those in their own words wait, redacted ones are skipped', async () => {
      const stranger = `bare${organisationId}@far.example`;
      for (const name of [plain.username, stranger])
        await makeContact(service, { organisationId, name, groups: ['App'] });
      await times(SIXTY + 2, () => post({ subject: 'Onderhoud' }));
      await runJobs(service);
      expect(subjectsTo(plain.username)).toEqual(Array.from({ length: SIXTY }, () => 'Onderhoud'));
      expect(subjectsTo(stranger)).toEqual(
        Array.from({ length: SIXTY }, () => 'Er staat een bericht voor u klaar'),
      );
      const beneath = await makeOrganisation(service, { parentId: organisationId });
      const invited = { email: stranger, firstName: 'New', lastName: 'User' };
      await custadmin.client.post(`/organisations/${beneath}/invitations`, invited).expect(201);
      await makeContact(service, { organisationId, name: 'another@far.example', groups: ['App'] });
      await post();
      await runJobs(service);
      expect(textsTo(stranger)).toHaveLength(SIXTY);
      expect(textsTo('another@far.example')).toHaveLength(1);
      await moveTestClock(service, HOUR);
      await makeJobsDue(service);
      await runJobs(service);
      expect(textsTo(plain.username)).toHaveLength(SIXTY + 3);
      expect(textsTo(stranger)).toHaveLength(SIXTY + 1);
      expect(subjectsTo(stranger)).toContain('Uitnodiging voor het klantenpaneel');
    });

    it('leave room for the notifications of the same customer', async () => {
      await service.sql`UPDATE contacts SET groups = '{App,System}' WHERE name = ${boss}`;
      await times(SIXTY + 1, () => post());
      await custadmin.client.post(`${pathOf(custadmin)}/sshkeys`, { content: newPublicKey() }).expect(201);
      await runJobs(service);
      expect(textsTo(boss)).toHaveLength(SIXTY + 1);
    });
  });
});
