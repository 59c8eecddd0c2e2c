import type { Role } from '@app/security/access/roles';
import { type MadeUser, makeGrant, makeOrganisation, makeUser } from '../../support/factories/factories';
import { varyGrants } from '../../support/factories/grants-factories';
import { makeServiceKey } from '../../support/factories/key-factories';
import { stateOf, suspend } from '../../support/factories/suspensions-factories';
import { pickOf, randomNumbers } from '../../support/generators/random';
import { SHARED_VARIANTS } from '../../support/generators/sampled';
import {
  type Access,
  type AccessList,
  accessListOf,
  type AccessRow,
  contradictions,
  evaluatedAccess,
} from '../../support/service/access-lists';
import { type ApiClient, asAdmin } from '../../support/service/client';
import { describeService } from '../../support/service/service';

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

describeService(SHARED_VARIANTS, 'GET …/access over random trees in Variant %s', (service, variant) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  const users: MadeUser[] = [];
  const keys: { id: number; organisationId: number; client: ApiClient }[] = [];
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
      const grantor = pickOf(random, customers);
      const grantee = pickOf(random, organisations);
      if (grantor !== grantee) await makeGrant(service, grantor, grantee).catch(() => undefined);
    }
    users.push(await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN', 'ROLE_CUSTADMIN'] }));
    for (const organisationId of organisations) {
      for (let made = 0; made < 3; made++) {
        const roles = made === 0 ? ['ROLE_CUSTADMIN'] : [pickOf(random, ROLES)];
        users.push(await makeUser(service, { organisationId, roles, enabled: random(6) > 0 }));
      }
      for (let made = 0; made < 2; made++) {
        const key = await makeServiceKey(service, organisationId, {
          operations: pickOf(random, KEY_OPERATIONS),
          beneath: random(2) === 0,
          asAdmin: organisationId === 1 && made === 0,
          expiresIn: random(5) === 0 ? '-1 day' : '1 day',
        });
        keys.push({ ...key, organisationId });
      }
    }
    await varyGrants(service);
    await service.sql`UPDATE users SET deleted_at = now() WHERE id = ${pickOf(random, users.slice(1)).id}`;
    await suspend(admin, pickOf(random, customers));
    await suspend(admin, pickOf(random, customers.slice(5)), { withSubOrganisations: true });
  });

  it('says of each user and service key what the guard decides', async () => {
    const holders = [
      ...users.map((user) => ({ kind: 'user' as const, ...user })),
      ...keys.map((key) => ({ kind: 'serviceKey' as const, ...key })),
    ];
    const seen = { manage: 0, read: 0, none: 0 };
    for (const id of organisations) {
      const { total, access } = await accessListOf(admin, id);
      expect(total).toBe(access.length);
      const evaluated = await evaluatedAccess(service, holders, id);
      expect(contradictions(access, holders, evaluated)).toEqual([]);
      for (const each of evaluated) seen[each]++;
    }
    expect(seen.manage).toBeGreaterThan(organisations.length);
    expect(seen.read).toBeGreaterThan(organisations.length);
    expect(seen.none).toBeGreaterThan(organisations.length);
  });

  it('names those whose requests go through', async () => {
    const through = async (client: ApiClient, method: 'get' | 'patch', path: string): Promise<boolean> => {
      // A change that the guard lets through is refused for its body.
      const body = method === 'get' ? undefined : ['never an object'];
      const { status } = await client.call(method, path, body);
      return status === 200 || status === 400;
    };
    const callers = [
      ...users.map((user) => ({ kind: 'user' as const, reads: [''], ...user })),
      ...keys.map((key) => ({ kind: 'serviceKey' as const, reads: ['', '/users', '/invitations'], ...key })),
    ];
    for (const id of organisations) {
      const path = `/organisations/${id}`;
      const accessOf = async ({ client, reads }: (typeof callers)[number]): Promise<Access> => {
        if (await through(client, 'patch', path)) return 'manage';
        for (const read of reads) if (await through(client, 'get', `${path}${read}`)) return 'read';
        return 'none';
      };
      const access: Access[] = [];
      for (const caller of callers) access.push(await accessOf(caller));
      expect(contradictions((await accessListOf(admin, id)).access, callers, access)).toEqual([]);
    }
  });

  it('gives each reader the same rows, but for those whom it may not know', async () => {
    let masked = 0;
    const inForce = await service.sql<{ id: number; grantor: number; grantee: number; agreed: boolean }>`
      SELECT id, organisation_id AS grantor, grantee_id AS grantee, only_teams AS agreed FROM acls
      WHERE expires_at IS NULL OR expires_at > now()`;
    const agreed = new Set(inForce.filter((grant) => grant.agreed).map((grant) => grant.id));
    for (const { id: readerId, organisationId, client } of users) {
      for (const id of organisations) {
        const response = await client.get(`/organisations/${id}/access?limit=0`);
        if (response.status !== 200) continue;
        const { total, access } = response.body as AccessList;
        expect(total).toBe(access.length);
        const all = (await accessListOf(admin, id)).access;
        const isAdmin = readerId === users[0]?.id;
        const rows = access.filter(({ kind }) => kind === 'user' || kind === 'serviceKey');
        const groups = access.filter(({ kind }) => kind === 'operator' || kind === 'manager');
        const reach = new Set(
          (
            await service.sql<{ id: number }>`SELECT descendant_id AS id FROM organisation_closure
              WHERE ancestor_id = ${organisationId}`
          ).map((row) => row.id),
        ).add(organisationId);
        const isShown = (row: AccessRow): boolean =>
          isAdmin ||
          (reach.has(row.organisation.id) && !row.roles.includes('ROLE_ADMIN')) ||
          (row.grantId !== null && agreed.has(row.grantId) && row.organisation.id !== 1);
        const idOf = (row: AccessRow): string => `${row.kind} ${row.id} ${row.by} ${row.access}`;
        expect(sorted(rows.map(idOf))).toEqual(sorted(all.filter(isShown).map(idOf)));
        const isOfGrant = (row: AccessRow): boolean => row.by === 'grant' && row.organisation.id !== 1;
        const hidden = all
          .filter((row) => !isShown(row) && !isOfGrant(row))
          .map((row) => row.organisation.id);
        const unasked = inForce.filter(
          (grant) =>
            grant.grantor === id &&
            !grant.agreed &&
            !isAdmin &&
            grant.grantee !== 1 &&
            !reach.has(grant.grantee),
        );
        const grantees = access.filter(({ kind }) => kind === 'grantee');
        // The grants of a suspended grantor rest.
        if ((await stateOf(admin, id)).suspensions.length === 0)
          expect(sorted(grantees.map((row) => row.grantId as number))).toEqual(
            sorted(unasked.map((grant) => grant.id)),
          );
        expect(sorted(groups.map((row) => row.organisation.id))).toEqual(sorted([...new Set(hidden)]));
        for (const group of groups) {
          masked++;
          expect(group).toMatchObject({
            kind: group.organisation.id === 1 ? 'operator' : 'manager',
            id: 0,
            name: '',
            roles: [],
            secondFactor: false,
            passkeys: 0,
            apiKeys: 0,
            dtLastUsed: '',
            grantId: null,
          });
        }
      }
    }
    expect(masked).toBeGreaterThan(10);
  });

  it('has the same rows page by page, in every order', async () => {
    const id = organisations[3] as number;
    const { access: all, total } = await accessListOf(admin, id);
    const keyOf = (row: AccessRow): string => `${row.kind} ${row.id}`;
    const fields = ['id', 'kind', 'name', 'by', 'access', 'secondFactor', 'passkeys', 'apiKeys'];
    for (const order of [...fields, 'dtLastUsed', 'grantId'])
      for (const direction of ['ASC', 'DESC']) {
        const seen: string[] = [];
        for (let offset = 0; offset < total; offset += 3) {
          const query = `limit=3&offset=${offset}&orderBy=${order}&orderType=${direction}`;
          const page = await accessListOf(admin, id, query);
          expect(page.total).toBe(total);
          seen.push(...page.access.map(keyOf));
        }
        expect({ order, rows: [...seen].sort() }).toEqual({ order, rows: all.map(keyOf).sort() });
      }
    expect(await accessListOf(admin, id, 'offset=1000')).toEqual({ total, access: [] });
  });
});
