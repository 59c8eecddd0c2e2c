import { PersonErasure } from '@app/records/privacy/person-erasure';
import { type MadeUser, makeCustomer, makeUser } from '../support/factories/factories';
import { newPublicKey } from '../support/factories/key-factories';
import { makeContact } from '../support/factories/records';
import { useMailServer } from '../support/faults/smtp';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { makeJobsDue, runJobs, TEST_CONTEXT } from '../support/service/jobs';
import { useService } from '../support/service/service';

const ALARM = 'alarm@of.example';

const ERASING = { isTrial: false, onProgress: () => undefined, signal: new AbortController().signal };

const mailServer = useMailServer();

/**
 * rule notifications 30, rule notifications 31: security events are mailed to who had the group when they
 * happened, whatever becomes of the contact.
 */
describe.each(SHARED_VARIANTS)('notifications that wait for an alarm address in Variant %s', (variant) => {
  const service = useService(variant, () => ({ settings: { smtpUrl: mailServer.url } }));
  let organisationId: number;
  let thief: MadeUser;
  let alarm: number;

  beforeEach(async () => {
    mailServer.refuse(false);
    ({ organisationId, custadmin: thief } = await makeCustomer(service));
    alarm = await makeContact(service, { organisationId, name: ALARM, groups: ['System'] });
    await runJobs(service);
    mailServer.mails.length = 0;
  });

  const path = () => `/organisations/${organisationId}`;
  const makeKey = ({ client }: MadeUser = thief) =>
    client
      .post(`${path()}/servicekeys`, { name: 'Backdoor', operations: ['contacts.list'], whitelist: [] })
      .expect(201);
  /** A contact with the address of the alarm, as its user makes it. */
  async function duplicateOf({ id, client }: MadeUser, name = ALARM): Promise<string> {
    const contacts = `${path()}/users/${id}/contacts`;
    const { body } = await client.post(contacts, { type: 'email', name, preferences: 'System' }).expect(201);
    await runJobs(service);
    mailServer.mails.length = 0;
    return `${contacts}/${(body as { contact: { id: number } }).contact.id}`;
  }
  /** The recipients are written, and no mail leaves. */
  async function hold(): Promise<void> {
    mailServer.refuse(true);
    await runJobs(service);
    mailServer.refuse(false);
  }
  /** The addresses that are told of the key. */
  async function told(): Promise<string[]> {
    await makeJobsDue(service);
    await runJobs(service);
    return mailServer.mails
      .splice(0)
      .filter(({ text }) => text.includes('Backdoor'))
      .flatMap(({ to }) => to.map((address) => address.toLowerCase()))
      .sort();
  }

  describe.each([
    ['before their recipients are expanded', () => Promise.resolve()],
    ['while their mails wait', hold],
  ])('%s', (_when, wait) => {
    it.each<[string, () => Promise<unknown>]>([
      ['is removed', () => thief.client.delete(`${path()}/contacts/${alarm}`).expect(204)],
      [
        'is removed and made again',
        async () => {
          await thief.client.delete(`${path()}/contacts/${alarm}`).expect(204);
          await thief.client
            .post(`${path()}/contacts`, { type: 'email', name: ALARM, preferences: 'System' })
            .expect(201);
        },
      ],
      [
        'loses the group',
        () =>
          thief.client
            .put(`${path()}/contacts/${alarm}`, { type: 'email', name: ALARM, preferences: '' })
            .expect(204),
      ],
      [
        'gets another address',
        () =>
          thief.client
            .put(`${path()}/contacts/${alarm}`, { type: 'email', name: 'deaf@of.example', preferences: '' })
            .expect(204),
      ],
    ])('reach a contact that %s', async (_what, silence) => {
      await makeKey();
      await wait();
      await silence();
      expect(await told()).toEqual([ALARM]);
    });

    it('reach the address although a user made a contact with it and removes it', async () => {
      const duplicate = await duplicateOf(thief);
      await makeKey();
      await wait();
      await thief.client.delete(duplicate).expect(204);
      expect(await told()).toEqual([ALARM]);
    });

    it.each(['demoted', 'disabled', 'deleted'] as const)(
      'reach the address although a user with a contact for it is %s',
      async (what) => {
        const accomplice = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
        await duplicateOf(accomplice);
        await service.sql`DELETE FROM contacts WHERE id = ${alarm}`;
        await makeKey(accomplice);
        await makeContact(service, { organisationId, name: ALARM.toUpperCase(), groups: ['System'] });
        await wait();
        const user = `${path()}/users/${accomplice.id}`;
        if (what === 'deleted') await thief.client.delete(user).expect(204);
        if (what === 'disabled') await thief.client.post(`${user}/actions`, { type: 'disable' }).expect(200);
        if (what === 'demoted') await service.sql`UPDATE users SET roles = '{}' WHERE id = ${accomplice.id}`;
        expect(await told()).toEqual([ALARM]);
      },
    );
  });

  it('go to the contact of the organisation rather than to a user with the same address', async () => {
    await duplicateOf(thief);
    await makeKey();
    const recipients = await service.sql`
      SELECT r.contact_id, r.user_id FROM notification_recipients r JOIN notifications n ON n.id = r.notification_id
      WHERE n.organisation_id = ${organisationId} AND n.entity_class = 'ServiceKey' AND r.value = ${ALARM}`;
    expect(recipients).toEqual([{ contact_id: alarm, user_id: null }]);
  });

  it('about a user reach the mailbox of the user, who is deleted', async () => {
    const accomplice = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
    await accomplice.client
      .post(`${path()}/users/${accomplice.id}/sshkeys`, { content: newPublicKey() })
      .expect(201);
    await hold();
    await thief.client.delete(`${path()}/users/${accomplice.id}`).expect(204);
    await makeJobsDue(service);
    await runJobs(service);
    const subjects = mailServer.mailsTo(accomplice.username).map(({ headers }) => headers.get('subject'));
    expect(subjects.sort()).toEqual([
      'Gebruiker verwijderd: ontvangt geen beveiligingsberichten van de organisatie meer',
      'Nieuwe SSH-sleutel',
    ]);
  });

  describe('to an address that nobody else has', () => {
    const PRIVATE = 'private@of.example';
    let accomplice: MadeUser;
    const stored = () => service.sql<{ value: string; isEncrypted: boolean; status: string }>`
      SELECT r.value, r.encrypted IS NOT NULL AS "isEncrypted", r.status FROM notification_recipients r
      JOIN notifications n ON n.id = r.notification_id
      WHERE n.organisation_id = ${organisationId} AND n.entity_class = 'ServiceKey' ORDER BY r.value`;

    beforeEach(async () => {
      accomplice = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
      await duplicateOf(accomplice, PRIVATE);
      await makeKey();
      await hold();
    });

    it('leave from an encrypted address when its user is deleted, which goes with the mail', async () => {
      await thief.client.delete(`${path()}/users/${accomplice.id}`).expect(204);
      expect(await stored()).toEqual([
        { value: '', isEncrypted: true, status: 'queued' },
        { value: ALARM, isEncrypted: false, status: 'queued' },
      ]);
      const rows = await service.sql`SELECT r::text FROM notification_recipients r`;
      expect(JSON.stringify(rows)).not.toContain('private@of');
      expect(await told()).toEqual([ALARM, PRIVATE]);
      expect(await stored()).toEqual([
        { value: '', isEncrypted: false, status: 'sent' },
        { value: ALARM, isEncrypted: false, status: 'sent' },
      ]);
    });

    it('go at once when its user is erased', async () => {
      await service.app.get(PersonErasure).erase(TEST_CONTEXT, accomplice.id, ERASING);
      expect(await stored()).toEqual([
        { value: '', isEncrypted: false, status: 'skipped' },
        { value: ALARM, isEncrypted: false, status: 'queued' },
      ]);
      expect(await told()).toEqual([ALARM]);
    });
  });
});
