import { asAdmin } from '../support/service/client';
import { makeCustomer, makeGrant, makeOrganisation, type MadeUser } from '../support/factories/factories';
import { useService, useMade } from '../support/service/service';

interface Acl {
  readonly id: number;
  readonly objectId: number;
  readonly organisation: { readonly id: number; readonly name: string };
}

const service = useService('B');
let organisationId: number;
let custadmin: MadeUser;
/** Two that it lets read, and one that lets it read. */
let bakery: number;
let agency: number;
let lender: number;
let path: string;

const admin = useMade(() => asAdmin(service));

beforeEach(async () => {
  ({ organisationId, custadmin } = await makeCustomer(service, { name: 'Klant & Co' }));
  bakery = await makeOrganisation(service, { name: 'Bakkerij 100% Vers' });
  agency = await makeOrganisation(service, { name: 'Agency' });
  lender = await makeOrganisation(service, { name: 'Lender' });
  await makeGrant(service, organisationId, bakery);
  await makeGrant(service, lender, organisationId);
  await makeGrant(service, organisationId, agency);
  // Of others.
  await makeGrant(service, lender, bakery);
  path = `/organisations/${organisationId}/acls`;
});

const pairsOf = (body: unknown): [from: number, to: number][] =>
  (body as { acls: Acl[] }).acls.map(({ objectId, organisation }) => [objectId, organisation.id]);

const listed = async (query = ''): Promise<[number, number][]> =>
  pairsOf((await custadmin.client.get(`${path}${query}`).expect(200)).body);

describe('the grants of an organisation', () => {
  it('are those on it and those to it, as POST answers them', async () => {
    const { body } = await custadmin.client.get(path).expect(200);
    expect(pairsOf(body)).toEqual([
      [organisationId, bakery],
      [lender, organisationId],
      [organisationId, agency],
    ]);
    const again = await custadmin.client.post(path, { organisation: agency }).expect(201);
    expect((body as { acls: Acl[] }).acls[2]).toEqual((again.body as { acl: Acl }).acl);
    await service.sql`UPDATE organisations SET deleted_at = now() WHERE id = ${bakery}`;
    await admin.delete(`/organisations/${agency}`).expect(204);
    expect((await listed()).map(([, to]) => to)).not.toContain(agency);
  });

  it('are paged, ordered and filtered as every list', async () => {
    const first = await custadmin.client.get(`${path}?limit=2`).expect(200);
    expect(pairsOf(first.body)).toHaveLength(2);
    expect(first.headers['link']).toMatch(/offset=2.*rel="next"/);
    const rest = await custadmin.client.get(`${path}?limit=2&offset=2`).expect(200);
    expect(pairsOf(rest.body)).toEqual([[organisationId, agency]]);
    expect(rest.headers['link']).toBeUndefined();
    expect((await listed('?orderType=desc')).map(([, to]) => to)).toEqual([agency, organisationId, bakery]);
    expect((await listed('?orderBy=objectId')).map(([from]) => from)).toEqual([
      organisationId,
      organisationId,
      lender,
    ]);
    expect(await listed('?orderBy=type&orderType=DESC')).toHaveLength(3);
    const byAdmin = await admin.get(`${path}?filter=100%25 v`).expect(200);
    expect(pairsOf(byAdmin.body)).toEqual([[organisationId, bakery]]);
    expect(await listed('?filter=KLANT')).toEqual([[lender, organisationId]]);
    for (const query of ['orderBy=permissions', 'orderBy=organisation', 'limit=-1', 'orderType=up']) {
      await custadmin.client.get(`${path}?${query}`).expect(400);
    }
  });

  it('are a table as csv', async () => {
    const { text } = await admin.get(`${path}?format=csv`).expect(200);
    const [header, ...rows] = text.trim().split('\r\n');
    expect(header).toBe('id,object,objectId,permissions,extra,type,organisation.id,organisation.name');
    expect(rows.map((row) => row.replace(/^\d+,/, ''))).toEqual([
      `organisation,${organisationId},,,manual,${bakery},Bakkerij 100% Vers`,
      `organisation,${lender},,,manual,${organisationId},Klant & Co`,
      `organisation,${organisationId},,,manual,${agency},Agency`,
    ]);
  });
});
