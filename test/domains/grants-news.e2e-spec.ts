import { CONTACT_GROUPS } from '@app/people/contacts/contact.types';
import { NOTIFICATION_GROUPS } from '@app/people/notifications/notification.types';
import { NotificationKinds } from '@app/people/notifications/notification-kinds';
import { VARIANTS } from '../../qa/variants';
import { type MadeUser, makeCustomer } from '../support/factories/factories';
import { inviteBy, makeManaged, type Managed, register } from '../support/factories/grant-people-factories';
import { newPublicKey } from '../support/factories/key-factories';
import { makeContact } from '../support/factories/records';
import { enable, suspend } from '../support/factories/suspensions-factories';
import { DECLARED_KINDS } from '../support/generators/notification-kinds';
import { type ApiClient, asAdmin } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { describeSharedService } from '../support/service/shared-services';

const UNCOVERED = { code: 403, reason: 'GRANT_DOES_NOT_COVER' };

/** All groups of news but System. */
const COVERED = ['App', 'Crm', 'Domain', 'Finance', 'Mail'];

describeSharedService(VARIANTS, 'news by a grant in Variant %s', (service) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let managed: Managed;
  beforeEach(async () => {
    managed = await makeManaged(service);
  });

  /** The owners of contacts whose contacts a grant covers. */
  const owners = (): string[] => [managed.of, `${managed.of}/users/${managed.giver.plain.id}`];

  const contactIn = ({ body }: { readonly body: unknown }) =>
    (body as { contact: { id: number } }).contact.id;
  const add = (client: ApiClient, path: string, name: string, preferences: string) =>
    client.post(`${path}/contacts`, { type: 'email', name, preferences });

  it('is of no contact that has or gets the group System', async () => {
    const { client } = managed.agency.custadmin;
    const own = managed.giver.custadmin.client;
    const refused = async (call: ReturnType<typeof add>): Promise<void> => {
      expect((await call.expect(403)).body).toMatchObject(UNCOVERED);
    };
    for (const [index, path] of owners().entries()) {
      const email = `fin${index}@agency.example`;
      await refused(add(client, path, email, 'System'));
      await refused(add(client, path, email, CONTACT_GROUPS.join(',')));
      const id = contactIn(await add(client, path, email, 'Finance').expect(201));
      const at = `${path}/contacts/${id}`;
      await refused(client.put(at, { type: 'email', name: email, preferences: 'Finance,System' }));
      await client.put(at, { type: 'email', name: email, preferences: 'Finance,Crm' }).expect(204);
      await client.put(at, { type: 'email', name: `new.${email}` }).expect(204);
      await own.put(at, { type: 'email', name: email, preferences: 'System,Finance' }).expect(204);
      await refused(client.put(at, { type: 'email', name: email, preferences: 'Finance' }));
      await refused(client.put(at, { type: 'email', name: email, preferences: '' }));
      await refused(client.put(at, { type: 'email', name: `new.${email}` }));
      await refused(client.delete(at));
      expect((await client.get(at).expect(200)).text).toContain(email);
      await own.put(at, { type: 'email', name: email, preferences: 'Finance' }).expect(204);
      await client.delete(at).expect(204);
    }
  });

  const listed = async ({ client }: MadeUser) => {
    const { body } = await client.get(`${managed.of}/notifications?limit=0`).expect(200);
    return (body as { notifications: { notificationGroup: string; type: string }[] }).notifications;
  };

  it('is read of every kind by its group, and of System what programs posted', async () => {
    const { organisationId } = managed.giver;
    const declared = service.app.get(NotificationKinds).all;
    expect(declared).toHaveLength(DECLARED_KINDS.length);
    expect(declared.length).toBeGreaterThan(30);
    const described = declared.map(({ entityClass, type }) => [entityClass, type]);
    const kinds = [...described, ['Something', 'new'], ['Organisation', 'note']];
    await service.sql`DELETE FROM notifications WHERE organisation_id = ${organisationId}`;
    await service.sql(
      `INSERT INTO notifications (organisation_id, notification_group, type, entity_class, entity_id, entity_name, is_written)
       SELECT $1, groups.name, kinds.type || written.suffix, kinds.class, 1, '', written.yes
       FROM unnest($2::text[], $3::text[]) kinds (class, type), unnest($4::text[]) groups (name),
         (VALUES (true, ' posted'), (false, '')) written (yes, suffix)`,
      [organisationId, kinds.map(([name]) => name), kinds.map(([, type]) => type), [...NOTIFICATION_GROUPS]],
    );
    const of = (news: Awaited<ReturnType<typeof listed>>, group: string) =>
      news.filter(({ notificationGroup }) => notificationGroup === group);
    const seen = await listed(managed.agency.custadmin);
    for (const group of COVERED) expect(of(seen, group)).toHaveLength(2 * kinds.length);
    const system = of(seen, 'System');
    expect(system).toHaveLength(kinds.length);
    expect(system.every(({ type }) => type.endsWith(' posted'))).toBe(true);
    for (const { group, type, heardByGrant = false } of declared)
      expect([group, type, of(seen, group).some((one) => one.type === type)]).toEqual([
        group,
        type,
        heardByGrant,
      ]);
    expect(await listed(managed.giver.custadmin)).toHaveLength(12 * kinds.length);
  });

  it('goes to contacts that it made for every group, after every act, without a word of System', async () => {
    const { giver, agency, of } = managed;
    const { organisationId } = giver;
    const { client } = agency.custadmin;
    const made: string[] = [];
    for (const [index, path] of owners().entries())
      for (const group of CONTACT_GROUPS.filter((one) => one !== 'System')) {
        const email = `${group.toLowerCase()}${index}.${managed.grantId}@agency.example`;
        await add(client, path, email, group).expect(201);
        made.push(email);
      }
    await makeContact(service, { organisationId, name: 'alarm@giver.example', groups: ['System'] });
    // Acts that the service tells of.
    const own = giver.custadmin.client;
    const user = `${of}/users/${giver.plain.id}`;
    const key = await own
      .post(`${of}/servicekeys`, { name: 'Backup', operations: ['organisations.read'] })
      .expect(201);
    const { id: keyId } = (key.body as { serviceKey: { id: number } }).serviceKey;
    await own.post(`${of}/servicekeys/${keyId}/rotate`, {}).expect(201);
    await giver.plain.client.post(`${user}/apikeys`, { name: 'Key', whitelist: '' });
    await giver.plain.client.post(`${user}/sshkeys`, { content: newPublicKey() }).expect(201);
    await own.post(`${of}/sshkeys`, { content: newPublicKey() });
    const contact = contactIn(await add(own, user, 'own@giver.example', 'System').expect(201));
    await own.put(`${user}/contacts/${contact}`, { type: 'email', name: 'other@giver.example' }).expect(204);
    await own.delete(`${user}/contacts/${contact}`).expect(204);
    await own
      .patch(user, {
        username: `renamed.${giver.plain.username}`,
        firstName: 'Jan',
        lastName: 'Maes',
        language: 'nl',
      })
      .expect(204);
    const other = await makeCustomer(service);
    const grant = await own
      .post(`${of}/grants`, { organisation: other.organisationId, access: 'manage' })
      .expect(201);
    await own.delete(`${of}/grants/${(grant.body as { grant: { id: number } }).grant.id}`).expect(204);
    await suspend(admin, organisationId);
    await enable(admin, organisationId);
    await register(service, await inviteBy(agency.custadmin, organisationId));
    for (const group of NOTIFICATION_GROUPS)
      for (const [by, type] of [
        [own, 'posted'],
        [client, 'postedByGrant'],
      ] as const)
        await by.post(`${of}/notifications`, { type, group }).expect(201);
    await runJobs(service);
    const kinds = await service.sql<{ kind: string; group: string }>`
      SELECT DISTINCT entity_class || '.' || type AS kind, notification_group AS group FROM notifications
      WHERE organisation_id = ${organisationId} AND NOT is_written`;
    const secret = kinds.filter(({ group }) => group === 'System').map(({ kind }) => kind);
    const acts = ['ServiceKey.new', 'ServiceKey.rotated', 'SshKey.new', 'User.name_changed', 'Contact.new'];
    const others = ['Contact.changed', 'Contact.removed', 'Grant.given_begun', 'Grant.given_ended'];
    expect(secret).toEqual(expect.arrayContaining([...acts, ...others]));
    const told = await service.sql<{ group: string; type: string; value: string }>(
      `SELECT n.notification_group AS group, n.type, r.value FROM notification_recipients r
       JOIN notifications n ON n.id = r.notification_id
       WHERE n.organisation_id = $1 AND r.value = ANY ($2::text[]) AND r.kind = 'contact'`,
      [organisationId, made],
    );
    expect(told.filter(({ group }) => group === 'System')).toEqual([]);
    for (const group of COVERED)
      expect(new Set(told.filter(({ group: one }) => one === group).map(({ value }) => value)).size).toBe(2);
    const seen = await listed(agency.custadmin);
    expect(
      seen
        .filter(({ notificationGroup }) => notificationGroup === 'System')
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['posted', 'postedByGrant']);
    expect(seen.some(({ notificationGroup, type }) => notificationGroup === 'Crm' && type === 'new')).toBe(
      true,
    );
  });
});
