import type { Role } from '@app/security/access/roles';
import {
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
  type MadeUser,
} from '../support/factories/factories';
import { makeApiKey, makeServiceKey, makeSupportLogin } from '../support/factories/key-factories';
import { varyGrants } from '../support/factories/grants-factories';
import { suspend } from '../support/factories/suspensions-factories';
import { pickOf, randomNumbers } from '../support/generators/random';
import { AuthzenClient, named } from '../support/service/authzen';
import { type ApiClient, asAdmin } from '../support/service/client';
import { describeService } from '../support/service/service';
import { VARIANTS } from '../support/service/variants';

interface Row {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly organisation: { readonly id: number; readonly name: string };
  readonly by: string;
  readonly access: string;
  readonly roles: readonly string[];
  readonly secondFactor: boolean;
  readonly passkeys: number;
  readonly apiKeys: number;
  readonly dtLastUsed: string;
  readonly grantId: number | null;
}
interface Listed {
  readonly total: number;
  readonly access: readonly Row[];
}

const listOf = async (reader: ApiClient, organisationId: number, query = 'limit=0'): Promise<Listed> =>
  (await reader.get(`/organisations/${organisationId}/access?${query}`).expect(200)).body as Listed;

const idsOf = (rows: readonly Row[], kind: string): number[] =>
  rows.filter((row) => row.kind === kind).map(({ id }) => id);

/** Ids as texts, in one order. */
const sorted = (ids: readonly (number | string)[]): string[] => ids.map(String).sort();

const ROLES: readonly Role[] = ['ROLE_CUSTADMIN', 'ROLE_FINANCE', 'ROLE_APP'];
const KEY_OPERATIONS = [
  ['organisations.read'],
  ['organisations.update', 'users.list'],
  ['contacts.*'],
  ['organisations.delete'],
  ['countries.list'],
];

describeService(VARIANTS, 'who has access, in Variant %s', (service, variant) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

  describe('over random trees', () => {
    const users: MadeUser[] = [];
    const keys: { id: number; client: ApiClient }[] = [];
    const organisations = [1];

    beforeAll(async () => {
      const random = randomNumbers(variant === 'A' ? 20261124 : 815);
      for (let made = 0; made < 10; made++) {
        const parentId = pickOf(random, organisations);
        const resellerId = random(3) === 0 ? pickOf(random, organisations) : null;
        organisations.push(await makeOrganisation(service, { parentId, resellerId }));
      }
      const customers = organisations.slice(1);
      for (let made = 0; made < 14; made++) {
        const [giver, grantee] = [pickOf(random, customers), pickOf(random, organisations)];
        if (giver !== grantee) await makeGrant(service, giver, grantee).catch(() => undefined);
      }
      users.push(await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN', 'ROLE_CUSTADMIN'] }));
      for (const organisationId of organisations) {
        for (let made = 0; made < 3; made++) {
          const roles = made === 0 ? ['ROLE_CUSTADMIN'] : [pickOf(random, ROLES)];
          users.push(await makeUser(service, { organisationId, roles, enabled: random(6) > 0 }));
        }
        for (let made = 0; made < 2; made++) {
          keys.push(
            await makeServiceKey(service, organisationId, {
              operations: pickOf(random, KEY_OPERATIONS),
              beneath: random(2) === 0,
              asAdmin: organisationId === 1 && made === 0,
              expiresIn: random(5) === 0 ? '-1 day' : '1 day',
            }),
          );
        }
      }
      await varyGrants(service);
      await service.sql`UPDATE users SET deleted_at = now() WHERE id = ${pickOf(random, users.slice(1)).id}`;
      await suspend(admin, pickOf(random, customers));
      await suspend(admin, pickOf(random, customers.slice(5)), { withSubOrganisations: true });
    });

    it('names whom the subject search of AuthZEN finds', async () => {
      const authzen = new AuthzenClient(service, admin);
      const found = (type: string, name: string, id: number) =>
        authzen.search('subject', {
          ...{ subject: { type }, action: { name }, resource: named('organisation', id) },
        });
      let [seen, managed] = [0, 0];
      for (const id of organisations) {
        const { total, access } = await listOf(admin, id);
        const managing = access.filter((row) => row.access === 'manage');
        expect(total).toBe(access.length);
        expect(sorted(idsOf(access, 'user'))).toEqual(sorted(await found('user', 'organisations.read', id)));
        expect(sorted(idsOf(managing, 'user'))).toEqual(
          sorted(await found('user', 'organisations.update', id)),
        );
        expect(sorted(idsOf(managing, 'serviceKey'))).toEqual(
          sorted(await found('service_key', 'organisations.update', id)),
        );
        const readingKeys = await found('service_key', 'organisations.read', id);
        expect(sorted(idsOf(access, 'serviceKey'))).toEqual(expect.arrayContaining(readingKeys));
        seen += access.length;
        managed += managing.length;
      }
      expect(managed).toBeGreaterThan(organisations.length);
      expect(seen).toBeGreaterThan(managed);
    });

    it('names those whose requests go through', async () => {
      for (const id of organisations) {
        const { access } = await listOf(admin, id);
        const [reading, managing] = [access, access.filter((row) => row.access === 'manage')];
        const through = async (client: ApiClient, method: 'get' | 'patch'): Promise<boolean> => {
          // A change that the guard lets through is refused for its body.
          const body = method === 'get' ? undefined : ['never an object'];
          const { status } = await client.call(method, `/organisations/${id}`, body);
          return status === 200 || status === 400;
        };
        for (const user of users) {
          expect({ id, user: user.id, reads: await through(user.client, 'get') }).toEqual({
            ...{ id, user: user.id, reads: idsOf(reading, 'user').includes(user.id) },
          });
          expect({ id, user: user.id, manages: await through(user.client, 'patch') }).toEqual({
            ...{ id, user: user.id, manages: idsOf(managing, 'user').includes(user.id) },
          });
        }
        for (const key of keys) {
          expect({ id, key: key.id, manages: await through(key.client, 'patch') }).toEqual({
            ...{ id, key: key.id, manages: idsOf(managing, 'serviceKey').includes(key.id) },
          });
          const paths = ['', '/users', '/invitations'].map((path) => `/organisations/${id}${path}`);
          const answers = await Promise.all(paths.map((path) => key.client.get(path)));
          if (answers.some(({ status }) => status === 200))
            expect(idsOf(reading, 'serviceKey')).toContain(key.id);
        }
      }
    });

    it('gives each reader the same rows, but for those whom it may not know', async () => {
      let masked = 0;
      for (const { id: readerId, organisationId, client } of users) {
        for (const id of organisations) {
          const response = await client.get(`/organisations/${id}/access?limit=0`);
          if (response.status !== 200) continue;
          const { total, access } = response.body as Listed;
          expect(total).toBe(access.length);
          const all = (await listOf(admin, id)).access;
          const isAdmin = readerId === users[0]?.id;
          const rows = access.filter(({ kind }) => kind === 'user' || kind === 'serviceKey');
          const groups = access.filter(({ kind }) => kind === 'operator' || kind === 'manager');
          const reach = new Set(
            (
              await service.sql<{ id: number }>`SELECT descendant_id AS id FROM organisation_closure
                WHERE ancestor_id = ${organisationId}`
            ).map((row) => row.id),
          ).add(organisationId);
          const isShown = (row: Row): boolean =>
            isAdmin ||
            (reach.has(row.organisation.id) && !row.roles.includes('ROLE_ADMIN')) ||
            (row.by === 'grant' && row.organisation.id !== 1);
          const idOf = (row: Row): string => `${row.kind} ${row.id} ${row.by} ${row.access}`;
          expect(sorted(rows.map(idOf))).toEqual(sorted(all.filter(isShown).map(idOf)));
          const hidden = all.filter((row) => !isShown(row)).map((row) => row.organisation.id);
          expect(sorted(groups.map((row) => row.organisation.id))).toEqual(sorted([...new Set(hidden)]));
          for (const group of groups) {
            masked++;
            expect(group).toMatchObject({
              kind: group.organisation.id === 1 ? 'operator' : 'manager',
              ...{ id: 0, name: '', roles: [], secondFactor: false, passkeys: 0, apiKeys: 0 },
              ...{ dtLastUsed: '', grantId: null },
            });
          }
        }
      }
      expect(masked).toBeGreaterThan(10);
    });

    it('leads over the same rows page by page, in every order', async () => {
      const id = organisations[3] as number;
      const { access: all, total } = await listOf(admin, id);
      const keyOf = (row: Row): string => `${row.kind} ${row.id}`;
      const fields = ['id', 'kind', 'name', 'by', 'access', 'secondFactor', 'passkeys', 'apiKeys'];
      for (const order of [...fields, 'dtLastUsed', 'grantId'])
        for (const direction of ['ASC', 'DESC']) {
          const seen: string[] = [];
          for (let offset = 0; offset < total; offset += 3) {
            const query = `limit=3&offset=${offset}&orderBy=${order}&orderType=${direction}`;
            const page = await listOf(admin, id, query);
            expect(page.total).toBe(total);
            seen.push(...page.access.map(keyOf));
          }
          expect({ order, rows: [...seen].sort() }).toEqual({ order, rows: all.map(keyOf).sort() });
        }
      expect(await listOf(admin, id, 'offset=1000')).toEqual({ total, access: [] });
    });
  });

  it('tells how each has access, and with what', async () => {
    const reseller = await makeCustomer(service, { name: 'Reseller' });
    const { organisationId, custadmin, plain } = await makeCustomer(service, {
      ...{ name: 'Customer', resellerId: reseller.organisationId },
    });
    const agency = await makeCustomer(service, { name: 'Agency' });
    await makeGrant(service, organisationId, agency.organisationId);
    const [grant] = await service.sql<{ id: number }>`SELECT id FROM acls
      WHERE organisation_id = ${organisationId}`;
    const key = await makeServiceKey(service, organisationId, { operations: ['organisations.*'] });
    // It may not delete its own organisation, and does nothing else.
    await makeServiceKey(service, organisationId, { operations: ['organisations.delete'], beneath: true });
    await makeServiceKey(service, organisationId, { expiresIn: '-1 day' });
    await makeUser(service, { organisationId, enabled: false });
    await makeApiKey(service, plain.id);
    await makeApiKey(service, plain.id, { expiresIn: '-1 day' });
    await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${plain.id}`;
    await service.sql`UPDATE logins SET last_used_at = to_timestamp(1700000000) WHERE user_id = ${plain.id}`;
    await service.sql`INSERT INTO passkeys (user_id, name, credential_id, public_key, counter, backed_up)
      VALUES (${plain.id}, 'Telephone', 'a', 'b', 0, false)`;

    const own = { organisation: { id: organisationId, name: 'Customer' }, by: 'own', grantId: null };
    const bare = { secondFactor: false, passkeys: 0, apiKeys: 0, dtLastUsed: expect.any(String) as string };
    const masked = { id: 0, name: '', by: 'above', access: 'manage', roles: [], grantId: null };
    const granted = {
      ...{ kind: 'user', organisation: { id: agency.organisationId, name: '' }, by: 'grant' },
      ...{ access: 'read', grantId: grant?.id, ...bare },
    };
    const { total, access } = await listOf(custadmin.client, organisationId);
    const rows = [
      { kind: 'operator', ...masked, organisation: { id: 1, name: '' }, ...bare, dtLastUsed: '' },
      {
        ...{ kind: 'manager', ...masked, organisation: { id: reseller.organisationId, name: '' } },
        ...{ ...bare, dtLastUsed: '' },
      },
      {
        ...{ kind: 'serviceKey', id: key.id, name: key.name, ...own, access: 'manage', roles: [], ...bare },
        dtLastUsed: '',
      },
      {
        ...{ kind: 'user', id: custadmin.id, name: custadmin.username, ...own, access: 'manage' },
        ...{ roles: ['ROLE_CUSTADMIN'], ...bare },
      },
      {
        ...{ kind: 'user', id: plain.id, name: plain.username, ...own, access: 'read', roles: [] },
        ...{ secondFactor: true, passkeys: 1, apiKeys: 1, dtLastUsed: '1700000000' },
      },
      {
        ...granted,
        ...{ id: agency.custadmin.id, name: agency.custadmin.username, roles: ['ROLE_CUSTADMIN'] },
      },
      { ...granted, id: agency.plain.id, name: agency.plain.username, roles: [] },
    ];
    const byWhom = (one: { kind: string; id: number }) => `${one.kind} ${one.id}`;
    expect([...access].sort((a, b) => byWhom(a).localeCompare(byWhom(b)))).toEqual(
      rows.sort((a, b) => byWhom(a).localeCompare(byWhom(b))),
    );
    expect(total).toBe(rows.length);

    // The reseller reads the names of its own people, not those of the operator.
    const above = await listOf(reseller.custadmin.client, organisationId);
    expect(above.access).toContainEqual(
      expect.objectContaining({
        ...{ kind: 'user', id: reseller.custadmin.id, name: reseller.custadmin.username, by: 'above' },
        ...{ access: 'manage', organisation: { id: reseller.organisationId, name: 'Reseller' } },
      }),
    );
    expect(idsOf(above.access, 'user')).not.toContain(reseller.plain.id);
    expect(above.access.filter(({ kind }) => kind === 'operator')).toHaveLength(1);
    expect(above.access.filter(({ kind }) => kind === 'manager')).toEqual([]);

    const filterFor = async (reader: ApiClient, filter: string): Promise<number[]> =>
      (await listOf(reader, organisationId, `filter=${encodeURIComponent(filter)}`)).access.map(
        ({ id }) => id,
      );
    expect(await filterFor(custadmin.client, plain.username.toUpperCase())).toEqual([plain.id]);
    expect(await filterFor(custadmin.client, reseller.custadmin.username)).toEqual([]);
    expect(await filterFor(admin, reseller.custadmin.username)).toEqual([reseller.custadmin.id]);

    const csv = await custadmin.client
      .get(`/organisations/${organisationId}/access`)
      .set('Accept', 'text/csv')
      .expect(200);
    expect(csv.text.trim().split(/\r?\n/)).toHaveLength(rows.length + 1);
  });

  it('is for managers, with no grant and no support login', async () => {
    const { organisationId, custadmin, plain } = await makeCustomer(service);
    const agency = await makeCustomer(service);
    await makeGrant(service, organisationId, agency.organisationId);
    const path = `/organisations/${organisationId}/access`;
    expect((await plain.client.get(path).expect(500)).body).toMatchObject({ reason: 'ROLE_REQUIRED' });
    await agency.custadmin.client.get(path).expect(403);
    const staff = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
    const support = await makeSupportLogin(service, custadmin.id, staff.id);
    expect((await support.get(path).expect(403)).body).toMatchObject({ reason: 'SUPPORT_NOT_ALLOWED' });
    const key = await makeApiKey(service, custadmin.id);
    await key.client.get(path).expect(200);
  });

  it('leaves out the users of a suspended organisation at once', async () => {
    const { organisationId, custadmin } = await makeCustomer(service);
    const agency = await makeCustomer(service);
    await makeGrant(service, organisationId, agency.organisationId);
    expect(idsOf((await listOf(custadmin.client, organisationId)).access, 'user')).toContain(agency.plain.id);
    await suspend(admin, agency.organisationId);
    expect(idsOf((await listOf(custadmin.client, organisationId)).access, 'user')).not.toContain(
      agency.plain.id,
    );
  });
});
