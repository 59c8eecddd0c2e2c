import { VARIANTS } from '../../../qa/variants';
import { makeDocument } from '../../support/factories/documents-factories';
import {
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
  nextNumber,
} from '../../support/factories/factories';
import { letManage } from '../../support/factories/grants-factories';
import { newPublicKey } from '../../support/factories/key-factories';
import { makeContact, makeNotification, makeTeam, register } from '../../support/factories/records';
import { Interface } from '../../support/generators/interface';
import { type ApiClient, asAdmin } from '../../support/service/client';
import { runJobs } from '../../support/service/jobs';
import { describeService } from '../../support/service/service';

/** Fields that are an object or null (rule answers 3). */
const MAY_BE_NULL = ['country', 'resellerOrganisation', 'organisation', 'reseller'];

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const idOf = (value: unknown): unknown => (isObject(value) ? value['id'] : undefined);

/** The paths of what was an object before, and is null after. */
function emptied(before: unknown, after: unknown, path: string): string[] {
  if (!isObject(before) || after === undefined) return [];
  if (Array.isArray(before))
    return before.flatMap((item: unknown, place) => {
      const rows = after as readonly unknown[];
      const same = idOf(item) === undefined ? rows[place] : rows.find((row) => idOf(row) === idOf(item));
      return emptied(item, same, `${path}[]`);
    });
  if (!isObject(after)) return MAY_BE_NULL.some((field) => path.endsWith(`.${field}`)) ? [] : [path];
  return Object.entries(before).flatMap(([field, value]) => emptied(value, after[field], `${path}.${field}`));
}

describeService(VARIANTS, 'every GET whose rows name what was deleted, in Variant %s,', (service) => {
  it('answers an object where there was one before, and null in the fields alone that may be null', async () => {
    const admin = await asAdmin(service);
    const { organisationId, custadmin, plain } = await makeCustomer(service);
    const of = `/organisations/${organisationId}`;
    const beneath = await makeOrganisation(service, { resellerId: organisationId });
    const others = [await makeCustomer(service), await makeCustomer(service), await makeCustomer(service)];
    const [agency, reader, third] = others as [Customer, Customer, Customer];
    const gone = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
    const goneAdmin = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });

    // What the rows name.
    await letManage({ grantor: { organisationId, custadmin: gone, plain }, agency });
    await makeGrant(service, organisationId, reader.organisationId);
    await makeGrant(service, third.organisationId, organisationId);
    const teamId = await makeTeam(service, organisationId, { userIds: [gone.id, plain.id] });
    const entity = { kind: 'app', name: 'Shop', organisationId, domains: undefined } as const;
    await register(service, { ...entity, id: 1 }, { ...entity, id: 2, organisationId: third.organisationId });
    for (const objectId of [1, 2])
      await custadmin.client.post(`${of}/teams/${teamId}/apps`, { objectId }).expect(201);
    await makeContact(service, {
      organisationId,
      userId: gone.id,
      name: 'gone@example.com',
      groups: ['System', 'Crm'],
    });
    const contactId = await makeContact(service, {
      organisationId,
      name: 'own@example.com',
      groups: ['System', 'Crm'],
    });
    for (const client of [gone.client, goneAdmin.client]) {
      const email = `invited${nextNumber()}@example.com`;
      await client.post(`${of}/invitations`, { email, firstName: 'Piet', lastName: 'Puk' }).expect(201);
      await client.post(`${of}/notifications`, { type: 'note', group: 'Crm', params: { a: {} } }).expect(201);
    }
    for (const client of [gone.client, plain.client])
      await client
        .post(`${of}/users/${client === gone.client ? gone.id : plain.id}/sshkeys`, {
          content: newPublicKey(),
        })
        .expect(201);
    const key = await gone.client
      .post(`${of}/servicekeys`, { name: 'Backup', operations: ['organisations.read'] })
      .expect(201);
    await makeNotification(service, { organisationId, userId: plain.id });
    await makeDocument(service, organisationId);
    await runJobs(service);

    const { routes } = await Interface.of(service);
    const paths = routes
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => path.replace('/v1', '').replace(':organisationId', `${organisationId}`))
      .map((path) => path.replace(':userId', `${custadmin.id}`))
      .filter((path) => path.startsWith('/organisations') && !path.includes(':'));
    const readAll = async (client: ApiClient): Promise<Json> => {
      const read: Record<string, unknown> = {};
      for (const path of paths) {
        const { status, body } = await client.get(`${path}?limit=0`);
        if (status === 200) read[path] = body;
      }
      return read;
    };
    const readers = [admin, custadmin.client];
    const before = await Promise.all(readers.map(readAll));
    const lists = [
      'notifications',
      'grants',
      'teams',
      'invitations',
      'users',
      'audit',
      'access',
      'organisations',
    ];
    for (const list of lists) expect(Object.keys(before[1] as Json)).toContain(`${of}/${list}`);

    for (const path of [
      `${of}/users/${gone.id}`,
      `${of}/users/${plain.id}`,
      `/organisations/1/users/${goneAdmin.id}`,
      `${of}/contacts/${contactId}`,
      `${of}/servicekeys/${(key.body as { serviceKey: { id: number } }).serviceKey.id}`,
      `${of}/teams/${teamId}`,
      `/organisations/${beneath}`,
    ])
      await admin.delete(path).expect(204);
    for (const { organisationId: id } of others) {
      await service.sql`UPDATE users SET enabled = false WHERE organisation_id = ${id}`;
      await admin.delete(`/organisations/${id}`).expect(204);
    }

    const after = await Promise.all(readers.map(readAll));
    for (const [place] of readers.entries()) {
      expect(emptied(before[place], after[place], '')).toEqual([]);
      const { notifications } = (after[place] as Json)[`${of}/notifications`] as { notifications: Json[] };
      expect(notifications.length).toBeGreaterThan(8);
      for (const { user, entity: subject, params } of notifications)
        expect([user, subject, params].every((one) => isObject(one) && !Array.isArray(one))).toBe(true);
    }
  });
});

type Customer = Awaited<ReturnType<typeof makeCustomer>>;
