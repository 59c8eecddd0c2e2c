import { Client } from 'pg';
import { asAdmin } from './support/client';
import { makeGrant, makeCustomer, makeOrganisation, type MadeUser } from './support/factories';
import { untilBlocked } from './support/locks';
import { startTestService, type TestService } from './support/service';
import { failingFields } from './support/responses';

interface Acl {
  id: number;
}

let service: TestService;
let organisationId: number;
let custadmin: MadeUser;
let plain: MadeUser;
let grantee: { organisationId: number; custadmin: MadeUser; plain: MadeUser };
let path: string;

beforeAll(async () => {
  service = await startTestService('B');
});
afterAll(() => service.stop());

beforeEach(async () => {
  ({ organisationId, custadmin, plain } = await makeCustomer(service));
  grantee = await makeCustomer(service, { name: 'Webbureau Jansen' });
  path = `/organisations/${organisationId}/acls`;
  // Another customer's grant stands beside every one.
  await makeGrant(service, await makeOrganisation(service), await makeOrganisation(service));
});

const grant = async (organisation: unknown = grantee.organisationId): Promise<Acl> =>
  ((await custadmin.client.post(path, { organisation }).expect(201)).body as { acl: Acl }).acl;

const grants = (): Promise<object[]> =>
  service.sql('SELECT grantee_id FROM acls WHERE organisation_id = $1 ORDER BY id', [organisationId]);

describe('granting', () => {
  it('answers the whole grant, and the existing one the second time', async () => {
    const acl = await grant();
    expect(acl).toEqual({
      id: expect.any(Number) as number,
      object: 'organisation',
      objectId: organisationId,
      permissions: null,
      extra: null,
      type: 'manual',
      organisation: { id: grantee.organisationId, name: 'Webbureau Jansen' },
    });
    expect(await grant(String(grantee.organisationId))).toEqual(acl);
    expect(await grants()).toEqual([{ grantee_id: grantee.organisationId }]);
  });

  it('gives one grant to 16 requests at once', async () => {
    const acls = await Promise.all(Array.from({ length: 16 }, () => grant()));
    expect(new Set(acls.map(({ id }) => id)).size).toBe(1);
    expect(await grants()).toHaveLength(1);
  });

  it('refuses itself, what does not exist and what is no identifier', async () => {
    const deleted = await makeOrganisation(service);
    await service.sql('UPDATE organisations SET deleted_at = now() WHERE id = $1', [deleted]);
    for (const organisation of [
      organisationId,
      deleted,
      999_999,
      0,
      -1,
      2 ** 31,
      'x',
      1.5,
      [],
      {},
      null,
      undefined,
      '',
    ]) {
      const { body } = await custadmin.client.post(path, { organisation }).expect(400);
      expect(failingFields({ body })).toEqual(['organisation']);
    }
    expect(await grants()).toEqual([]);
  });

  it('waits for the deletion of an organisation that is going on, and then is refused', async () => {
    const doomed = await makeOrganisation(service);
    const deleting = new Client({ connectionString: service.database.url });
    await deleting.connect();
    try {
      await deleting.query('BEGIN');
      await deleting.query('UPDATE organisations SET deleted_at = now() WHERE id = $1', [doomed]);
      const status = custadmin.client
        .post(path, { organisation: doomed })
        .then((response) => response.status);
      await untilBlocked(service, status);
      await deleting.query('COMMIT');
      expect(await status).toBe(400);
    } finally {
      await deleting.end();
    }
    expect(await grants()).toEqual([]);
  });
});

describe('revoking', () => {
  it('removes the grant, once', async () => {
    await grant();
    await custadmin.client.delete(`${path}/${grantee.organisationId}`).expect(204);
    expect(await grants()).toEqual([]);
    await custadmin.client.delete(`${path}/${grantee.organisationId}`).expect(404);
    for (const id of ['0', 'x', '99999999999', organisationId]) {
      await custadmin.client.delete(`${path}/${id}`).expect(404);
    }
  });

  it('is a 204 for one of 16 at once', async () => {
    await grant();
    const responses = await Promise.all(
      Array.from({ length: 16 }, () => custadmin.client.delete(`${path}/${grantee.organisationId}`)),
    );
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

it('is for managers', async () => {
  const reseller = await makeCustomer(service);
  await service.sql('UPDATE organisations SET reseller_id = $1 WHERE id = $2', [
    reseller.organisationId,
    organisationId,
  ]);
  const stranger = await makeCustomer(service);
  const admin = await asAdmin(service);
  await grant();
  const body = { organisation: stranger.organisationId };
  for (const [client, created, deleted] of [
    [plain.client, 500, 500],
    [grantee.custadmin.client, 403, 403],
    [grantee.plain.client, 403, 403],
    [stranger.custadmin.client, 403, 403],
    [reseller.plain.client, 403, 403],
    [reseller.custadmin.client, 201, 204],
    [admin, 201, 204],
  ] as const) {
    await client.post(path, body).expect(created);
    await service.sql(
      'INSERT INTO acls (organisation_id, grantee_id) VALUES ($1, $2) ON CONFLICT ON CONSTRAINT acls_once DO NOTHING',
      [organisationId, stranger.organisationId],
    );
    await client.delete(`${path}/${stranger.organisationId}`).expect(deleted);
    await service.sql('DELETE FROM acls WHERE organisation_id = $1 AND grantee_id = $2', [
      organisationId,
      stranger.organisationId,
    ]);
  }
});
