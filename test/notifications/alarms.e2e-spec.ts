import { PersonErasure } from '@app/records/privacy/person-erasure';
import { type MadeUser, makeCustomer, makeUser } from '../support/factories/factories';
import { makeApiKey, makeServiceKey } from '../support/factories/key-factories';
import { makeContact } from '../support/factories/records';
import { useMailServer } from '../support/faults/smtp';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import type { ApiClient } from '../support/service/client';
import { runJobs, TEST_CONTEXT } from '../support/service/jobs';
import { useService } from '../support/service/service';

const ERASING = { isTrial: false, onProgress: () => undefined, signal: new AbortController().signal };

const mailServer = useMailServer();

/** rule notifications 8: told is who got such notifications before the act, and who gets them after it. */
describe.each(SHARED_VARIANTS)('PUT …/contacts: security notifications in Variant %s', (variant) => {
  const service = useService(variant, () => ({ settings: { smtpUrl: mailServer.url } }));
  let organisationId: number;
  let thief: MadeUser;
  let victim: MadeUser;
  let plain: MadeUser;

  beforeEach(async () => {
    ({ organisationId, custadmin: thief, plain } = await makeCustomer(service));
    victim = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
    await makeContact(service, { organisationId, name: 'other@of.example', groups: ['System'] });
    await told();
  });

  /** The addresses that were mailed since the last call. */
  async function told(): Promise<string[]> {
    await runJobs(service);
    return mailServer.mails
      .splice(0)
      .flatMap(({ to }) => to)
      .sort();
  }

  const lastTypes = async (): Promise<unknown[]> =>
    service.sql(
      `SELECT DISTINCT ON (entity_class) entity_class AS class, type FROM notifications
       WHERE organisation_id = $1 ORDER BY entity_class, id DESC`,
      [organisationId],
    );
  const lastType = async (): Promise<unknown> => {
    const [last] = await service.sql<{ type: string }>(
      'SELECT type FROM notifications WHERE organisation_id = $1 ORDER BY id DESC LIMIT 1',
      [organisationId],
    );
    return last?.type;
  };

  const contactOf = (userId: number | undefined, groups: string[], name = 'told@of.example') =>
    makeContact(service, { organisationId, ...(userId !== undefined && { userId }), name, groups });

  const CREDENTIALS: readonly [string, () => Promise<ApiClient>][] = [
    ['a login', () => Promise.resolve(thief.client)],
    ['an API key', async () => (await makeApiKey(service, thief.id)).client],
    [
      'a service key',
      async () =>
        (
          await makeServiceKey(service, organisationId, {
            operations: ['contacts.update', 'organisationContacts.update'],
          })
        ).client,
    ],
  ];

  describe.each(CREDENTIALS)('changed with %s', (_credential, clientOf) => {
    const put = async (path: string, preferences: string, name = 'told@of.example') =>
      (await clientOf())
        .put(`/organisations/${organisationId}/${path}`, { type: 'email', name, preferences })
        .expect(204);

    it('are told to a contact of the organisation that gets or loses them, and to the others', async () => {
      const id = await contactOf(undefined, ['System', 'Finance']);
      await put(`contacts/${id}`, 'Finance');
      expect(await lastType()).toBe('security_news_off');
      expect(await told()).toEqual(['other@of.example', 'told@of.example']);
      await put(`contacts/${id}`, 'Finance,System');
      expect(await lastType()).toBe('security_news_on');
      expect(await told()).toEqual(['other@of.example', 'told@of.example']);
    });

    it('are told to a contact of a user and to the own address of the user too', async () => {
      for (const user of [victim, plain]) {
        const id = await contactOf(user.id, ['System']);
        const expected = ['other@of.example', 'told@of.example', user.username].sort();
        await put(`users/${user.id}/contacts/${id}`, '');
        expect(await told()).toEqual(expected);
        await put(`users/${user.id}/contacts/${id}`, 'System');
        expect(await told()).toEqual(expected);
        await service.sql`DELETE FROM contacts WHERE id = ${id}`;
      }
    });
  });

  it('that a contact loses with its address are told to the old address', async () => {
    const id = await contactOf(undefined, ['System']);
    await thief.client
      .put(`/organisations/${organisationId}/contacts/${id}`, {
        type: 'email',
        name: 'deaf@of.example',
        preferences: '',
      })
      .expect(204);
    expect(await lastType()).toBe('security_news_off');
    expect(await told()).toEqual(['other@of.example', 'told@of.example']);
  });

  it('of all contacts, taken away one after the other, are told to each of them', async () => {
    const id = await contactOf(undefined, ['System']);
    const [other] = await service.sql<{ id: number }>`
      SELECT id FROM contacts WHERE organisation_id = ${organisationId} AND name = 'other@of.example'`;
    const put = (contactId: number | undefined, name: string) =>
      thief.client
        .put(`/organisations/${organisationId}/contacts/${contactId}`, {
          type: 'email',
          name,
          preferences: '',
        })
        .expect(204);
    await put(id, 'told@of.example');
    await put(other?.id, 'other@of.example');
    // Nobody was mailed in between. The other one is told of both.
    expect(await told()).toEqual(['other@of.example', 'other@of.example', 'told@of.example']);
  });

  /** rule notifications 31 */
  describe('of a CUSTADMIN who is one no more', () => {
    const userPath = () => `/organisations/${organisationId}/users/${victim.id}`;
    const setRoles = (defaultRoles: string) =>
      thief.client
        .patch(userPath(), {
          username: victim.username,
          firstName: 'Jan',
          lastName: 'de Vries',
          defaultRoles,
        })
        .expect(204);
    const act = (type: string) => thief.client.post(`${userPath()}/actions`, { type }).expect(200);
    /** Its own contact got the notifications until then. */
    beforeEach(() => contactOf(victim.id, ['System'], 'victim@of.example'));
    const all = () => ['other@of.example', victim.username, 'victim@of.example'].sort();

    it('are told to it and to the contacts when it loses the role, once', async () => {
      await setRoles('ROLE_CUSTADMIN,ROLE_FINANCE');
      expect(await told()).toEqual([]);
      await setRoles('ROLE_FINANCE');
      expect(await lastTypes()).toEqual([{ class: 'User', type: 'demoted' }]);
      expect(await told()).toEqual(all());
      await setRoles('');
      expect(await told()).toEqual([]);
    });

    it('are told to it and to the contacts when it is disabled, once', async () => {
      await act('disable');
      expect(await lastTypes()).toEqual([{ class: 'User', type: 'disabled' }]);
      expect(await told()).toEqual(all());
      await act('disable');
      expect(await told()).toEqual([]);
    });

    it('are told to all of them when it is deleted, by its id, and no address of it stays', async () => {
      await thief.client.delete(userPath()).expect(204);
      expect(await lastTypes()).toEqual([{ class: 'User', type: 'deleted' }]);
      const rows = await service.sql`SELECT r::text FROM notification_recipients r JOIN notifications n
        ON n.id = r.notification_id WHERE n.organisation_id = ${organisationId}`;
      for (const address of [victim.username, 'victim@of'])
        expect(JSON.stringify(rows)).not.toContain(address);
      await runJobs(service);
      expect(mailServer.mailsTo('other@of.example')[0]?.text).toContain(
        `Gebruiker nr. ${victim.id} is verwijderd door “Jan de Vries” op `,
      );
      expect(mailServer.mailsTo(victim.username)[0]?.text).toContain(
        `Uw account nr. ${victim.id} is verwijderd door “Jan de Vries” op `,
      );
      expect(await told()).toEqual(all());
    });

    it('are not told of a user who was none', async () => {
      const path = `/organisations/${organisationId}/users/${plain.id}`;
      await thief.client.post(`${path}/actions`, { type: 'disable' }).expect(200);
      await thief.client.delete(path).expect(204);
      expect(await told()).toEqual([]);
    });

    it('are not told by an erasure', async () => {
      await service.app.get(PersonErasure).erase(TEST_CONTEXT, victim.id, ERASING);
      expect(await told()).toEqual([]);
    });
  });

  /** rule notifications 9 */
  describe('of a user who gets ROLE_CUSTADMIN', () => {
    const setRoles = (user: MadeUser, defaultRoles: string, username = user.username) =>
      thief.client
        .patch(`/organisations/${organisationId}/users/${user.id}`, {
          username,
          firstName: 'Jan',
          lastName: 'de Vries',
          defaultRoles,
        })
        .expect(204);

    it('tell the user and the contacts of the organisation, once', async () => {
      await contactOf(victim.id, ['System']);
      await contactOf(undefined, ['Finance'], 'deaf@of.example');
      await setRoles(plain, 'ROLE_FINANCE');
      expect(await told()).toEqual([]);
      await setRoles(plain, 'ROLE_FINANCE,ROLE_CUSTADMIN');
      expect(await lastTypes()).toEqual([{ class: 'User', type: 'promoted' }]);
      await runJobs(service);
      const [own] = mailServer.mailsTo(plain.username);
      expect(own?.headers.get('subject')).toBe('Gebruiker is nu beheerder van de organisatie');
      expect(own?.text).toContain(`“${plain.username}”`);
      expect(own?.text).toContain('Deze rol is toegekend door “Jan de Vries” op ');
      expect(await told()).toEqual(['other@of.example', 'told@of.example', plain.username].sort());
      await setRoles(plain, 'ROLE_CUSTADMIN');
      expect(await told()).toEqual([]);
    });

    it('tell them again each time', async () => {
      for (const round of ['first', 'second']) {
        await setRoles(plain, 'ROLE_CUSTADMIN');
        expect([round, await told()]).toEqual([round, ['other@of.example', plain.username].sort()]);
        await setRoles(plain, '');
        await told();
      }
    });

    it('name the user as it is called after the same request', async () => {
      await setRoles(plain, 'ROLE_CUSTADMIN', 'renamed@of.example');
      const [notification] = await service.sql`
        SELECT entity_name AS name, user_id AS "userId", about_user_id AS "aboutUserId" FROM notifications
        WHERE organisation_id = ${organisationId} AND type = 'promoted'`;
      expect(notification).toEqual({ name: 'renamed@of.example', userId: thief.id, aboutUserId: plain.id });
    });
  });
});

/** rule notifications 10. Only Variant A sets `required2fa`. */
describe('PUT …/organisations: the demand of a second factor', () => {
  const service = useService('A', () => ({ settings: { smtpUrl: mailServer.url } }));

  it('that is lifted is told to the contacts with security notifications, once', async () => {
    const { organisationId, custadmin, plain } = await makeCustomer(service);
    const contact = { organisationId, groups: ['System'] };
    await makeContact(service, { ...contact, name: 'alarm@of.example' });
    await makeContact(service, { ...contact, userId: custadmin.id, name: 'manager@of.example' });
    await makeContact(service, { ...contact, userId: plain.id, name: 'plain@of.example' });
    await makeContact(service, { organisationId, name: 'deaf@of.example', groups: ['Crm', 'Finance'] });
    const path = `/organisations/${organisationId}`;
    const change = async (method: 'put' | 'patch', body: object): Promise<string[]> => {
      await custadmin.client[method](path, { name: 'Bakkerij', taxNumber: 'T', ...body }).expect(204);
      await runJobs(service);
      return mailServer.mails
        .splice(0)
        .flatMap(({ to, headers }) => to.map((address) => `${address}: ${headers.get('subject')}`))
        .sort();
    };
    const lifted = ['alarm@of.example', 'manager@of.example'].map(
      (address) => `${address}: Organisatie vereist geen tweede factor meer`,
    );
    for (const method of ['put', 'patch'] as const) {
      expect(await change(method, { required2fa: false })).toEqual([]);
      expect(await change(method, { required2fa: true })).toEqual([]);
      expect(await change(method, { required2fa: true })).toEqual([]);
      expect(await change(method, { information: 'Other' })).toEqual([]);
      expect(await change(method, { name: `After ${method}`, required2fa: false })).toEqual(lifted);
      expect(await change(method, { required2fa: false })).toEqual([]);
    }
    const notifications = await service.sql`
      SELECT entity_class AS class, entity_id AS id, entity_name AS name, notification_group AS group, type,
        user_id AS "userId" FROM notifications WHERE organisation_id = ${organisationId} ORDER BY id`;
    const told = (name: string) => ({
      class: 'Organisation',
      id: organisationId,
      name,
      group: 'System',
      type: '2fa_demand_lifted',
      userId: custadmin.id,
    });
    expect(notifications).toEqual([told('After put'), told('After patch')]);
  });
});
