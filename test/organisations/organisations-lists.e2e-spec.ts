import type { Response } from 'supertest';
import { type PerVariant, VARIANTS } from '../../qa/variants';
import {
  type MadeUser,
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
  nextNumber,
} from '../support/factories/factories';
import { type ApiClient, asAdmin } from '../support/service/client';
import { describeService, startTestService } from '../support/service/service';
import { statusCategory } from '../support/service/variants';

interface Item {
  readonly id: number;
  readonly name: string;
}
interface ListBody {
  readonly total?: number;
  readonly organisations: readonly Item[];
}

const CUSTOMERS = [
  { name: 'Bakkerij Ångström', tax: 'NL100', city: 'Utrecht', external: 'CRM-1', type: 1 },
  { name: '100% wool', tax: 'NL200', city: 'Gent', external: 'CRM-2', type: 1 },
  { name: 'under_score', tax: 'NL300', city: 'Gent', external: 'crm_3', type: 2 },
  { name: 'back\\slash', tax: 'BE400', city: 'Brugge', external: null, type: 2 },
  { name: 'underXscore', tax: 'BE500', city: 'Brugge', external: null, type: 1 },
] as const;

/**
 * Whether lists search single fields, order by what admins alone are shown, and tell the parent and the
 * invitations of sub-organisations.
 */
const SEARCHES_FIELDS: PerVariant<boolean> = { A: true, B: false };

describeService(VARIANTS, 'GET /organisations in Variant %s', (service, variant) => {
  const searches = SEARCHES_FIELDS[variant];
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let reseller: Awaited<ReturnType<typeof makeCustomer>>;
  let other: Awaited<ReturnType<typeof makeCustomer>>;
  const idOf = new Map<string, number>();
  let jan: MadeUser;

  beforeAll(async () => {
    reseller = await makeCustomer(service, { name: 'The reseller' });
    other = await makeCustomer(service, { name: 'Another customer with wool' });
    for (const { name, tax, city, external, type } of CUSTOMERS) {
      const id = await makeOrganisation(service, { name, resellerId: reseller.organisationId });
      await service.sql(
        'UPDATE organisations SET tax_number = $2, city = $3, external_id = $4, organisation_type = $5 WHERE id = $1',
        [id, tax, city, external, type],
      );
      idOf.set(name, id);
    }
    jan = await makeUser(service, {
      organisationId: idOf.get('100% wool') as number,
      username: `jan.${nextNumber()}@wool.example`,
      firstName: 'Jan Willem',
      lastName: 'van Dijk',
    });
    await makeUser(service, {
      organisationId: other.organisationId,
      username: `jan.${nextNumber()}@wool.example`,
      firstName: 'Jan Willem',
      lastName: 'van Dijk',
    });
  });

  const list = async (client: ApiClient, query: Record<string, string | number>): Promise<ListBody> => {
    const text = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return (await client.get(`/organisations?${text.toString()}`).expect(200)).body as ListBody;
  };
  const names = (body: ListBody): string[] => body.organisations.map(({ name }) => name).sort();
  const beneath = async (id: number, query = ''): Promise<Item[]> =>
    (
      (await admin.get(`/organisations/${id}/organisations?limit=0${query}`).expect(200)).body as {
        subOrganisations: Item[];
      }
    ).subOrganisations;

  it('gives five without a limit, all with limit=0, and the total with each', async () => {
    const own = reseller.custadmin.client;
    expect((await list(own, {})).organisations).toHaveLength(5);
    expect(await list(own, { limit: 0 })).toMatchObject({ total: 6 });
    expect(names(await list(own, { limit: 0 }))).toEqual(
      ['The reseller', ...CUSTOMERS.map(({ name }) => name)].sort(),
    );
    expect((await list(own, { limit: 1_000_000 })).organisations).toHaveLength(6);
    expect(await list(own, { offset: 100 })).toEqual({ total: 6, organisations: [] });
    expect(await list(own, { limit: '', offset: '', orderBy: '', orderType: '', filter: '' })).toEqual(
      await list(own, {}),
    );
  });

  it('holds what its reader may read one by one, and nothing else', async () => {
    const { plain, organisationId } = reseller;
    expect(names(await list(plain.client, { limit: 0 }))).toEqual(['The reseller']);
    expect(names(await list(other.custadmin.client, { limit: 0 }))).toEqual(['Another customer with wool']);
    await makeGrant(service, organisationId, other.organisationId);
    for (const reader of [other.plain, other.custadmin]) {
      const body = await list(reader.client, { limit: 0 });
      expect(names(body)).toEqual(['Another customer with wool', 'The reseller']);
      expect(body.total).toBe(2);
      for (const { id } of body.organisations) await reader.client.get(`/organisations/${id}`).expect(200);
      await reader.client.get(`/organisations/${idOf.get('100% wool')}`).expect(403);
    }
    // A grant on what is in reach anyway shows it once.
    await makeGrant(service, idOf.get('100% wool') as number, organisationId);
    expect(await list(reseller.custadmin.client, { limit: 0 })).toMatchObject({ total: 6 });
    expect((await list(reseller.custadmin.client, { limit: 0 })).organisations).toHaveLength(6);
    expect(await list(plain.client, { limit: 0 })).toMatchObject({ total: 2 });
    await service.sql('DELETE FROM acls');
    const [everything] = await service.sql<{ count: number }>(
      'SELECT count(*)::integer FROM organisations WHERE deleted_at IS NULL',
    );
    expect(await list(admin, { limit: 0 })).toMatchObject({ total: everything?.count });
  });

  describe.each([
    ['whose organisations are read one by one', 0],
    ['that is too large for that', 10_001],
  ])('in a reach %s', (_, more) => {
    const add = (count: number) =>
      service.sql`UPDATE organisations SET beneath_count = beneath_count + ${count} WHERE id = ${reseller.organisationId}`;
    beforeAll(() => add(more));
    afterAll(() => add(-more));

    it.each([
      ['WOOL', ['100% wool']],
      ['0% W', ['100% wool']],
      ['%', ['100% wool']],
      ['_', ['under_score']],
      ['\\', ['back\\slash']],
      ['ångström', ['Bakkerij Ångström']],
      ['brugge', ['back\\slash', 'underXscore']],
      ["'; DROP TABLE users", []],
    ])('filters by %j as a substring without regard to case', async (filter, expected) => {
      const body = await list(reseller.custadmin.client, { limit: 0, filter });
      expect(names(body)).toEqual([...expected].sort());
      expect(body.total).toBe(expected.length);
      const found = await beneath(reseller.organisationId, `&filter=${encodeURIComponent(filter)}`);
      expect(found.map(({ name }) => name).sort()).toEqual([...expected].sort());
    });

    it('filters by what the items show: the tax number counts where it stands in them', async () => {
      const body = await list(reseller.custadmin.client, { limit: 0, filter: 'be5' });
      expect(names(body)).toEqual(['underXscore']);
      expect(body.total).toBe(1);
      expect(await beneath(reseller.organisationId, '&filter=be5')).toEqual([]);
    });

    it.each([
      ['name', 'wool', ['100% wool']],
      ['name', '_', ['under_score']],
      ['taxNumber', 'be', ['back\\slash', 'underXscore']],
      ['userFullname', 'willem VAN', ['100% wool']],
      ['userEmail', '@WOOL.example', ['100% wool']],
      ['organisationType', '2', ['back\\slash', 'under_score']],
      ['organisationType', '22', []],
    ])('searches %s for %j in Variant A alone', async (parameter, value, expected) => {
      const { client } = reseller.custadmin;
      const body = await list(client, { limit: 0, [parameter]: value });
      const everything = await list(client, { limit: 0 });
      if (!searches) return expect(body).toEqual(everything);
      expect(names(body)).toEqual([...expected].sort());
      expect(body.total).toBe(expected.length);
      expect(await list(client, { limit: 0, [parameter]: '' })).toEqual(everything);
    });

    it.each([
      ['taxNumber', 'BE0123456789'],
      ['taxNumber', 'be 0123.456.789'],
      ['taxNumber', '0123-456'],
      ['filter', 'BE0123456789'],
      ['filter', 'BE 0123.456.789'],
      ['filter', '0123/456'],
      ['userFullname', 'helene  MULLER'],
      ['userFullname', 'm\u00fcller helene'],
      ['name', 'cafe l\u2019ete'],
      ['externalId', ' cafe 1'],
    ])('finds by %s what is written otherwise: %j', async (parameter, value) => {
      if (!searches && parameter !== 'filter') return;
      const { organisationId, plain } = await makeCustomer(service, { resellerId: reseller.organisationId });
      await service.sql`UPDATE organisations SET name = ${"Caf\u00e9 L'\u00c9t\u00e9"}, tax_number = 'BE 0123.456.789',
        external_id = ${'Caf\u00e91'} WHERE id = ${organisationId}`;
      await service.sql`UPDATE users SET first_name = ${'H\u00e9l\u00e8ne'}, last_name = ${'M\u00fcller'}
        WHERE id = ${plain.id}`;
      const client = parameter === 'externalId' ? admin : reseller.custadmin.client;
      const body = await list(client, { limit: 0, [parameter]: value });
      expect(body.organisations.map(({ id }) => id)).toContain(organisationId);
      await service.sql`UPDATE users SET enabled = false WHERE organisation_id = ${organisationId}`;
      await admin.delete(`/organisations/${organisationId}`).expect(204);
    });

    it('finds a number of punctuation alone by itself', async () => {
      if (!searches) return;
      const id = await makeOrganisation(service, { resellerId: reseller.organisationId });
      await service.sql`UPDATE organisations SET tax_number = '-' WHERE id = ${id}`;
      const body = await list(reseller.custadmin.client, { limit: 0, taxNumber: '-' });
      expect(body.organisations.map((found) => found.id)).toEqual([id]);
      await admin.delete(`/organisations/${id}`).expect(204);
    });

    it('does not find deleted users', async () => {
      if (!searches) return;
      await service.sql`UPDATE users SET deleted_at = now() WHERE id = ${jan.id}`;
      expect(await list(reseller.custadmin.client, { userFullname: 'willem' })).toEqual({
        total: 0,
        organisations: [],
      });
      await service.sql`UPDATE users SET deleted_at = NULL WHERE id = ${jan.id}`;
    });

    it('finds once what is reached twice, and what was granted', async () => {
      await makeGrant(service, idOf.get('100% wool') as number, reseller.organisationId);
      await makeGrant(service, other.organisationId, reseller.organisationId);
      const queries: Record<string, string>[] = [
        { filter: 'wool' },
        ...(searches ? [{ userEmail: '@wool.example' }] : []),
      ];
      for (const query of queries) {
        const body = await list(reseller.custadmin.client, query);
        expect(names(body)).toEqual(['100% wool', 'Another customer with wool']);
        expect(body.total).toBe(2);
        const ordered = await list(reseller.custadmin.client, {
          ...query,
          orderBy: 'name',
          limit: 1,
          offset: 1,
        });
        expect(names(ordered)).toEqual(['Another customer with wool']);
      }
      await service.sql('DELETE FROM acls');
    });
  });

  it('shows an admin the matches of all customers', async () => {
    expect(names(await list(admin, { limit: 0, filter: 'wool' }))).toEqual([
      '100% wool',
      'Another customer with wool',
    ]);
  });

  if (searches) {
    it('searches externalId for admins, to whom alone it is shown', async () => {
      expect(names(await list(admin, { externalId: 'crm-' }))).toEqual(['100% wool', 'Bakkerij Ångström']);
      expect(names(await list(admin, { externalId: 'CRM_' }))).toEqual(['under_score']);
      expect(await list(reseller.custadmin.client, { externalId: 'CRM' })).toEqual({
        total: 0,
        organisations: [],
      });
    });

    it('combines its parameters', async () => {
      expect(names(await list(admin, { taxNumber: 'NL', filter: 'gent', userFullname: 'jan' }))).toEqual([
        '100% wool',
      ]);
    });

    it('selects nothing by a tag', async () => {
      expect(await list(admin, { tag: 'x' })).toEqual({ total: 0, organisations: [] });
      expect((await list(admin, { tag: '' })).organisations).toHaveLength(5);
      const sub = await admin.get('/organisations/1/organisations?tag=x').expect(200);
      expect(sub.body).toEqual({ subOrganisations: [] });
    });
  }

  it('takes every scalar field of its items as orderBy, and nothing else', async () => {
    const [item] = (await list(admin, { limit: 1 })).organisations as unknown as Record<string, unknown>[];
    const sub = (await beneath(1))[0] as unknown as Record<string, unknown>;
    for (const [path, shown] of [
      ['/organisations', item],
      ['/organisations/1/organisations', sub],
    ] as const) {
      for (const [field, value] of Object.entries(shown ?? {})) {
        const isScalar =
          !['country', 'resellerOrganisation'].includes(field) &&
          (value === null || typeof value !== 'object');
        const { status } = await admin.get(`${path}?orderBy=${field}`);
        expect({ path, field, status }).toEqual({ path, field, status: isScalar ? 200 : 400 });
      }
    }
  });

  it('does not order by what its reader is not shown', async () => {
    if (!searches) return;
    await reseller.custadmin.client.get('/organisations?orderBy=externalId').expect(400);
    await reseller.custadmin.client.get('/organisations?orderBy=city').expect(200);
  });

  it.each(['ASC', 'desc'])('pages by Link through all, ordered %s, without overlap', async (orderType) => {
    for (const client of [admin, reseller.custadmin.client]) {
      const whole = await list(client, { limit: 0, orderBy: 'city', orderType });
      const seen: number[] = [];
      let next: string | undefined = `/v1/organisations?limit=2&orderBy=city&orderType=${orderType}`;
      while (next !== undefined) {
        const response: Response = await client.get(next.replace('/v1', '')).expect(200);
        const body = response.body as ListBody;
        expect(body.total).toBe(whole.total);
        seen.push(...body.organisations.map(({ id }) => id));
        const link = response.headers['link'];
        next = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1];
        expect(next === undefined).toBe(seen.length === whole.total);
      }
      expect(seen).toEqual(whole.organisations.map(({ id }) => id));
      const rows = await service.sql<{ id: number; city: string }>('SELECT id, city FROM organisations');
      const cityOf = new Map(rows.map(({ id, city }) => [id, city]));
      const keys = seen.map((id) => cityOf.get(id) as string);
      const sorted = [...keys].sort((a, b) => a.localeCompare(b));
      expect(keys).toEqual(orderType === 'ASC' ? sorted : sorted.reverse());
    }
  });

  it('says by Link where rows remain after the largest page', async () => {
    await using small = await startTestService(variant, {
      settings: { listLimitMax: 3 },
      database: service.database,
    });
    const client = await asAdmin(small);
    const response = await client.get('/organisations?limit=1000000').expect(200);
    expect((response.body as ListBody).organisations).toHaveLength(3);
    expect(response.headers['link']).toContain('offset=3');
    const all = await client.get('/organisations?limit=0&filter=wool').expect(200);
    expect(all.headers['link']).toBeUndefined();
  });

  describe('of sub-organisations', () => {
    it('reach over parent and reseller links to any depth, each once', async () => {
      const top = await makeOrganisation(service, { name: 'Top' });
      const child = await makeOrganisation(service, { name: 'Child', parentId: top });
      const sold = await makeOrganisation(service, { name: 'Sold', resellerId: child });
      const both = await makeOrganisation(service, { name: 'Both', parentId: sold, resellerId: top });
      const ids = (items: readonly Item[]): number[] => items.map(({ id }) => id);
      expect(ids(await beneath(top))).toEqual([child, sold, both]);
      expect(ids(await beneath(sold))).toEqual([both]);
      expect(ids(await beneath(both))).toEqual([]);
      expect(ids(await beneath(top, '&orderBy=name&orderType=DESC'))).toEqual([sold, child, both]);
    });

    it('answer the shape that is described', async () => {
      const top = await makeOrganisation(service);
      const id = await makeOrganisation(service, { name: 'Shape', parentId: top });
      await service.sql`UPDATE organisations
         SET street = 'Laan', house_number = '1', zip = '1234', city = 'Ede', country_code = 'NL'
         WHERE id = ${id}`;
      const enabled = await makeUser(service, { organisationId: id });
      const disabled = await makeUser(service, {
        organisationId: id,
        enabled: false,
        username: `login${nextNumber()}`,
      });
      for (const [days, accepted] of [
        [1, false],
        [-1, false],
        [1, true],
      ] as const) {
        await service.sql(
          `INSERT INTO invitations (organisation_id, inviter_id, email, first_name, last_name, token_digest, expires_at,
             accepted_at)
           VALUES ($1, $2, $3, 'a', 'b', $4, now() + make_interval(days => $5), CASE WHEN $6::boolean THEN now() END)`,
          [id, enabled.id, `i${nextNumber()}@example.com`, Buffer.from(`t${nextNumber()}`), days, accepted],
        );
      }
      const user = (made: MadeUser, status: string, colour: string) => ({
        id: made.id,
        email: made.username.includes('@') ? made.username : '',
        fullName: 'Jan de Vries',
        status,
        ...statusCategory(variant, colour),
      });
      expect(await beneath(top)).toEqual([
        {
          id,
          name: 'Shape',
          street: 'Laan',
          houseNumber: '1',
          zip: '1234',
          city: 'Ede',
          country: { id: 'NL', name: 'Netherlands' },
          users: [user(enabled, 'ok', 'green'), user(disabled, 'deactivated', 'grey')],
          ...(searches && { parentOrganisation: String(top), invitationCount: 1 }),
        },
      ]);
    });
  });
});
