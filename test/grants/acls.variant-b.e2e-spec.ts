import { type MadeUser, makeCustomer, makeGrant, makeOrganisation } from '../support/factories/factories';
import { transactionBeside, untilBlocked } from '../support/faults/locks';
import { atOnce } from '../support/service/at-once';
import { type ApiClient, asAdmin, failingFields } from '../support/service/client';
import { useSharedService } from '../support/service/shared-services';

interface Acl {
  id: number;
}

interface ListedAcl extends Acl {
  readonly objectId: number;
  readonly organisation: { readonly id: number; readonly name: string };
}

const service = useSharedService('B');
let organisationId: number;
let custadmin: MadeUser;
let grantee: { organisationId: number; custadmin: MadeUser; plain: MadeUser };
let path: string;

beforeEach(async () => {
  ({ organisationId, custadmin } = await makeCustomer(service));
  grantee = await makeCustomer(service, { name: 'Webbureau Jansen' });
  path = `/organisations/${organisationId}/acls`;
  // Another customer's grant stands beside every one.
  await makeGrant(service, await makeOrganisation(service), await makeOrganisation(service));
});

const grant = async (organisation: unknown = grantee.organisationId): Promise<Acl> =>
  ((await custadmin.client.post(path, { organisation }).expect(201)).body as { acl: Acl }).acl;

const grants = (): Promise<object[]> =>
  service.sql`SELECT grantee_id FROM acls WHERE organisation_id = ${organisationId} ORDER BY id`;

describe('POST …/acls', () => {
  it('answers an existing grant at the most that an organisation gives', async () => {
    const acl = await grant();
    await service.sql`WITH other AS (
        INSERT INTO organisations (name, tax_number, parent_id)
        SELECT 'Other', gen_random_uuid()::text, 1 FROM generate_series(1, 199) RETURNING id)
      INSERT INTO acls (organisation_id, grantee_id) SELECT ${organisationId}, id FROM other`;
    expect(await grant()).toEqual(acl);
    const { body } = await custadmin.client
      .post(path, { organisation: await makeOrganisation(service) })
      .expect(400);
    expect(body).toMatchObject({ reason: 'LIMIT_REACHED' });
  });

  it('gives one grant to 16 requests at once', async () => {
    const acls = await atOnce(16, () => grant());
    expect(new Set(acls.map(({ id }) => id)).size).toBe(1);
    expect(await grants()).toHaveLength(1);
  });

  it('refuses itself, what does not exist and what is no identifier', async () => {
    const deleted = await makeOrganisation(service);
    await service.sql`UPDATE organisations SET deleted_at = now() WHERE id = ${deleted}`;
    for (const organisation of [organisationId, deleted, 999_999, 'x']) {
      const { body } = await custadmin.client.post(path, { organisation }).expect(400);
      expect(failingFields({ body })).toEqual(['organisation']);
    }
    expect(await grants()).toEqual([]);
  });

  it('waits for the deletion of an organisation that is going on, and then is refused', async () => {
    const doomed = await makeOrganisation(service);
    await using deleting = await transactionBeside(service);
    await deleting.query('UPDATE organisations SET deleted_at = now() WHERE id = $1', [doomed]);
    const status = custadmin.client.post(path, { organisation: doomed }).then((response) => response.status);
    await untilBlocked(service, status);
    await deleting.query('COMMIT');
    expect(await status).toBe(400);
    expect(await grants()).toEqual([]);
  });
});

describe('DELETE …/acls', () => {
  it('is a 204 for one of 16 at once', async () => {
    await grant();
    const responses = await atOnce(16, () => custadmin.client.delete(`${path}/${grantee.organisationId}`));
    expect(responses.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1);
    expect(responses.every(({ status }) => [204, 404].includes(status))).toBe(true);
  });

  it('does not take away the grants of another organisation to the same grantee', async () => {
    const other = await makeOrganisation(service);
    await makeGrant(service, other, grantee.organisationId);
    await custadmin.client.delete(`${path}/${grantee.organisationId}`).expect(404);
    await grantee.plain.client.get(`/organisations/${other}`).expect(200);
  });
});

describe('POST …/acls: the grantee', () => {
  it('ends a grant through its managers and those above it, and nobody else of it does', async () => {
    const above = await makeCustomer(service);
    await service.sql`UPDATE organisations SET reseller_id = ${above.organisationId} WHERE id = ${grantee.organisationId}`;
    const bystander = await makeCustomer(service);
    await makeGrant(service, organisationId, bystander.organisationId);
    const one = `${path}/${grantee.organisationId}`;
    for (const { custadmin: manager } of [grantee, above]) {
      await grant();
      await grantee.plain.client.delete(one).expect(403);
      await above.plain.client.delete(one).expect(403);
      await bystander.custadmin.client.delete(one).expect(403);
      await manager.client.delete(`${path}/${bystander.organisationId}`).expect(403);
      await manager.client.get(path).expect(403);
      await manager.client.delete(one).expect(204);
      await manager.client.delete(one).expect(404);
    }
    expect(await grants()).toEqual([{ grantee_id: bystander.organisationId }]);
  });
});

describe('POST …/acls: an organisation out of reach', () => {
  const nameIn = ({ body }: { body: unknown }) =>
    (body as { acl: { organisation: { id: number; name: string } } }).acl.organisation;
  const listed = async ({ client }: MadeUser, query = ''): Promise<string[]> => {
    const { body } = await client.get(`${path}${query}`).expect(200);
    return (body as { acls: { organisation: { name: string } }[] }).acls.map(
      ({ organisation }) => organisation.name,
    );
  };

  it('is answered by its id alone, one in reach or that lets it read with its name', async () => {
    const beneath = await makeOrganisation(service, { name: 'Beneath', resellerId: organisationId });
    const lender = await makeOrganisation(service, { name: 'Lender' });
    await makeGrant(service, lender, organisationId);
    const post = (organisation: number, client = custadmin.client) =>
      client.post(path, { organisation }).expect(201);
    expect(nameIn(await post(grantee.organisationId))).toEqual({ id: grantee.organisationId, name: '' });
    expect(nameIn(await post(beneath))).toEqual({ id: beneath, name: 'Beneath' });
    expect(nameIn(await post(lender))).toEqual({ id: lender, name: 'Lender' });
    const admin = await asAdmin(service);
    expect(nameIn(await post(grantee.organisationId, admin)).name).toBe('Webbureau Jansen');
    const own = (
      await service.sql<{ name: string }>`SELECT name FROM organisations WHERE id = ${organisationId}`
    )[0];
    expect(await listed(custadmin)).toEqual([own?.name, '', 'Beneath', 'Lender']);
    expect(await listed(custadmin, '?filter=jansen')).toEqual([]);
    expect(await listed({ ...custadmin, client: admin }, '?filter=jansen')).toEqual(['Webbureau Jansen']);
  });
});

describe('GET …/acls', () => {
  /** Two that it lets read, and one that lets it read. */
  let bakery: number;
  let agency: number;
  let lender: number;
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

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
    (body as { acls: ListedAcl[] }).acls.map(({ objectId, organisation }) => [objectId, organisation.id]);

  const listed = async (query = ''): Promise<[number, number][]> =>
    pairsOf((await custadmin.client.get(`${path}${query}`).expect(200)).body);

  it('are those on it and those to it, as POST answers them', async () => {
    const { body } = await custadmin.client.get(path).expect(200);
    expect(pairsOf(body)).toEqual([
      [organisationId, bakery],
      [lender, organisationId],
      [organisationId, agency],
    ]);
    const again = await custadmin.client.post(path, { organisation: agency }).expect(201);
    expect((body as { acls: ListedAcl[] }).acls[2]).toEqual((again.body as { acl: ListedAcl }).acl);
    await service.sql`UPDATE organisations SET deleted_at = now() WHERE id = ${bakery}`;
    await admin.delete(`/organisations/${agency}`).expect(204);
    expect((await listed()).map(([, to]) => to)).not.toContain(agency);
  });

  it('are ordered by who gives, and found by the names that the reader sees', async () => {
    expect((await listed('?orderBy=objectId')).map(([from]) => from)).toEqual([
      organisationId,
      organisationId,
      lender,
    ]);
    const byAdmin = await admin.get(`${path}?filter=100%25 v`).expect(200);
    expect(pairsOf(byAdmin.body)).toEqual([[organisationId, bakery]]);
    expect(await listed('?filter=KLANT')).toEqual([[lender, organisationId]]);
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
