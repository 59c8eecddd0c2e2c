import { makeHeldOrganisation } from '../support/factories/access-holders';
import { makeCustomer, makeGrant, makeUser } from '../support/factories/factories';
import { makeApiKey, makeServiceKey } from '../support/factories/key-factories';
import { makeTeam } from '../support/factories/records';
import { suspend } from '../support/factories/suspensions-factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { accessListOf, contradictions, evaluatedAccess, idsOf } from '../support/service/access-lists';
import { type ApiClient, asAdmin } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';
import { letExpire } from '../support/service/time';

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

describeSharedService(SHARED_VARIANTS, 'GET …/access in Variant %s', (service) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

  /** Its manager agrees to a grant, and names a team of all its users for it. */
  async function useByTeam(grantId: number, { organisationId, custadmin, plain }: Customer): Promise<string> {
    const teamId = await makeTeam(service, organisationId, { userIds: [custadmin.id, plain.id] });
    const path = `/organisations/${organisationId}/grants/${grantId}/teams/${teamId}`;
    await custadmin.client.put(path).expect(204);
    return path;
  }

  it('shows who has access, how, and with what', async () => {
    const reseller = await makeCustomer(service, { name: 'Reseller' });
    const { organisationId, custadmin, plain } = await makeCustomer(service, {
      name: 'Customer',
      resellerId: reseller.organisationId,
    });
    const agency = await makeCustomer(service, { name: 'Agency' });
    const grantId = await makeGrant(service, organisationId, agency.organisationId);
    await useByTeam(grantId, agency);
    const key = await makeServiceKey(service, organisationId, { operations: ['organisations.*'] });
    // It may not delete its own organisation, and does nothing else.
    await makeServiceKey(service, organisationId, { operations: ['organisations.delete'], beneath: true });
    await makeServiceKey(service, organisationId, { expiresIn: '-1 day' });
    await makeUser(service, { organisationId, enabled: false });
    await makeApiKey(service, plain.id);
    await makeApiKey(service, plain.id, { expiresIn: '-1 day' });
    await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${plain.id}`;
    await service.sql`UPDATE logins SET last_used_at = to_timestamp(1700000000) WHERE user_id = ${plain.id}`;
    await service.sql`INSERT INTO passkeys
        (user_id, name, credential_id, public_key, counter, backed_up, backup_eligible, rp_id)
      VALUES (${plain.id}, 'Telephone', 'a', 'b', 0, false, false, 'example.com')`;

    const own = { organisation: { id: organisationId, name: 'Customer' }, by: 'own', grantId: null };
    const bare = { secondFactor: false, passkeys: 0, apiKeys: 0, dtLastUsed: expect.any(String) as string };
    const masked = { id: 0, name: '', by: 'above', access: 'manage', roles: [], grantId: null };
    const granted = {
      kind: 'user',
      organisation: { id: agency.organisationId, name: '' },
      by: 'grant',
      access: 'read',
      grantId,
      ...bare,
    };
    const { total, access } = await accessListOf(custadmin.client, organisationId);
    const rows = [
      { kind: 'operator', ...masked, organisation: { id: 1, name: '' }, ...bare, dtLastUsed: '' },
      {
        kind: 'manager',
        ...masked,
        organisation: { id: reseller.organisationId, name: '' },
        ...bare,
        dtLastUsed: '',
      },
      {
        kind: 'serviceKey',
        id: key.id,
        name: key.name,
        ...own,
        access: 'manage',
        roles: [],
        ...bare,
        dtLastUsed: '',
      },
      {
        kind: 'user',
        id: custadmin.id,
        name: custadmin.username,
        ...own,
        access: 'manage',
        roles: ['ROLE_CUSTADMIN'],
        ...bare,
      },
      {
        kind: 'user',
        id: plain.id,
        name: plain.username,
        ...own,
        access: 'read',
        roles: [],
        secondFactor: true,
        passkeys: 1,
        apiKeys: 1,
        dtLastUsed: '1700000000',
      },
      {
        ...granted,
        id: agency.custadmin.id,
        name: agency.custadmin.username,
        roles: ['ROLE_CUSTADMIN'],
      },
      { ...granted, id: agency.plain.id, name: agency.plain.username, roles: [] },
    ];
    const byWhom = (one: { kind: string; id: number }) => `${one.kind} ${one.id}`;
    expect([...access].sort((a, b) => byWhom(a).localeCompare(byWhom(b)))).toEqual(
      rows.sort((a, b) => byWhom(a).localeCompare(byWhom(b))),
    );
    expect(total).toBe(rows.length);

    // The reseller reads the names of its own people, not those of the operator.
    const above = await accessListOf(reseller.custadmin.client, organisationId);
    expect(above.access).toContainEqual(
      expect.objectContaining({
        kind: 'user',
        id: reseller.custadmin.id,
        name: reseller.custadmin.username,
        by: 'above',
        access: 'manage',
        organisation: { id: reseller.organisationId, name: 'Reseller' },
      }),
    );
    expect(idsOf(above.access, 'user')).not.toContain(reseller.plain.id);
    expect(above.access.filter(({ kind }) => kind === 'operator')).toHaveLength(1);
    expect(above.access.filter(({ kind }) => kind === 'manager')).toEqual([]);

    const filterFor = async (reader: ApiClient, filter: string): Promise<number[]> =>
      (await accessListOf(reader, organisationId, `filter=${encodeURIComponent(filter)}`)).access.map(
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

  describe('GET …/access: a grant that nobody of the grantee agreed to', () => {
    let grantor: Customer;
    let grantees: Customer[];
    const grantIds: number[] = [];
    beforeEach(async () => {
      grantIds.length = 0;
      grantor = await makeCustomer(service);
      grantees = [await makeCustomer(service), await makeCustomer(service), await makeCustomer(service)];
      for (const [index, { organisationId }] of grantees.entries()) {
        const access = index === 1 ? 'manage' : 'read';
        grantIds.push(await makeGrant(service, grantor.organisationId, organisationId, { access }));
      }
    });

    const rowOf = (index: number, access: string) => ({
      kind: 'grantee',
      id: 0,
      name: '',
      by: 'grant',
      access,
      roles: [],
      secondFactor: false,
      passkeys: 0,
      apiKeys: 0,
      dtLastUsed: '',
      grantId: grantIds[index],
      organisation: { id: grantees[index]?.organisationId, name: '' },
    });
    const byGrant = async (query?: string, reader = grantor.custadmin.client) => {
      const list = await accessListOf(reader, grantor.organisationId, query);
      return { total: list.total, rows: list.access.filter(({ by }) => by === 'grant') };
    };

    it('is one masked row each, whether it reads or manages, and whoever may log in there', async () => {
      await suspend(admin, grantees[0]?.organisationId as number);
      await service.sql`UPDATE users SET enabled = false WHERE organisation_id = ${grantees[1]?.organisationId}`;
      const { total, rows } = await byGrant();
      expect(rows).toEqual([rowOf(0, 'read'), rowOf(1, 'manage'), rowOf(2, 'read')]);
      // With the operator and the two users of the grantor.
      expect(total).toBe(6);
      expect((await byGrant('limit=2')).total).toBe(6);
      const csv = await grantor.custadmin.client
        .get(`/organisations/${grantor.organisationId}/access`)
        .set('Accept', 'text/csv')
        .expect(200);
      expect(csv.text.trim().split(/\r?\n/)).toHaveLength(7);
    });

    it('is found by no filter, and ordered by nothing but what the row shows', async () => {
      expect((await byGrant(`filter=${grantees[0]?.plain.username}`)).total).toBe(0);
      for (const order of ['kind', 'name', 'by', 'secondFactor', 'passkeys', 'apiKeys', 'dtLastUsed'])
        for (const [direction, places] of [
          ['ASC', [0, 1, 2]],
          ['DESC', [2, 1, 0]],
        ] as const) {
          const { rows } = await byGrant(`limit=0&orderBy=${order}&orderType=${direction}`);
          expect({ order, ids: rows.map(({ grantId }) => grantId) }).toEqual({
            order,
            ids: places.map((place) => grantIds[place]),
          });
        }
    });

    it('is gone with its end, and names who uses it once a team was named, also when that is gone', async () => {
      await letExpire(service, 'acls', { id: grantIds[0] as number });
      expect((await byGrant()).rows).toEqual([rowOf(1, 'manage'), rowOf(2, 'read')]);
      const [, agency] = grantees as [Customer, Customer];
      const team = await useByTeam(grantIds[1] as number, agency);
      const users = async () => idsOf((await byGrant()).rows, 'user').sort();
      expect(await users()).toEqual([agency.custadmin.id, agency.plain.id].sort());
      expect((await byGrant()).rows).toContainEqual(rowOf(2, 'read'));
      await agency.custadmin.client.delete(team).expect(204);
      expect(await users()).toEqual([agency.custadmin.id]);
    });

    it('is rows of users for readers who know these anyway', async () => {
      const knowing = [admin];
      const reseller = await makeCustomer(service);
      for (const { organisationId } of [grantor, ...grantees])
        await service.sql`UPDATE organisations SET reseller_id = ${reseller.organisationId} WHERE id = ${organisationId}`;
      knowing.push(reseller.custadmin.client);
      for (const reader of knowing) {
        const { rows } = await byGrant('limit=0', reader);
        expect(idsOf(rows, 'grantee')).toEqual([]);
        // All users of those that read, the CUSTADMIN of the one that manages.
        expect(idsOf(rows, 'user')).toHaveLength(5);
      }
    });

    it('is named by its organisation for readers who read that, but not for service keys', async () => {
      const [first] = grantees as [Customer];
      const name = 'Lets the grantor read';
      await service.sql`UPDATE organisations SET name = ${name} WHERE id = ${first.organisationId}`;
      await makeGrant(service, first.organisationId, grantor.organisationId);
      expect((await byGrant()).rows).toContainEqual({
        ...rowOf(0, 'read'),
        organisation: { id: first.organisationId, name },
      });
      const key = await makeServiceKey(service, grantor.organisationId, { operations: ['access.list'] });
      expect((await byGrant('limit=0', key.client)).rows).toContainEqual(rowOf(0, 'read'));
    });
  });

  it('leaves out the users of a suspended grantee at once', async () => {
    const { organisationId, custadmin } = await makeCustomer(service);
    const agency = await makeCustomer(service);
    await useByTeam(await makeGrant(service, organisationId, agency.organisationId), agency);
    expect(idsOf((await accessListOf(custadmin.client, organisationId)).access, 'user')).toContain(
      agency.plain.id,
    );
    await suspend(admin, agency.organisationId);
    expect(idsOf((await accessListOf(custadmin.client, organisationId)).access, 'user')).not.toContain(
      agency.plain.id,
    );
  });

  it.each([
    ['an organisation', { demands: false, isSuspended: false }],
    ['one that demands a second factor', { demands: true, isSuspended: false }],
    ['a suspended one', { demands: false, isSuspended: true }],
  ])('says what the guard decides, by whatever way somebody has access to %s', async (_, state) => {
    const { organisationId, custadmin, reseller, holders, suspended } = await makeHeldOrganisation(
      service,
      state,
    );
    for (const id of suspended) await suspend(admin, id);
    const evaluated = await evaluatedAccess(service, holders, organisationId);
    expect([...new Set(evaluated)].sort()).toEqual(['manage', 'none', 'read']);
    for (const reader of [admin, reseller.client, ...(state.isSuspended ? [] : [custadmin.client])]) {
      const { access } = await accessListOf(reader, organisationId);
      expect(contradictions(access, holders, evaluated)).toEqual([]);
    }
  });
});
