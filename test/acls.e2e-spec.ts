import { Client } from 'pg';
import { ApiClient, asAdmin } from './support/client';
import { makeCustomer, makeOrganisation, type MadeUser } from './support/factories';
import { untilBlocked } from './support/locks';
import { startTestService, type TestService } from './support/service';

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
  await service.sql('INSERT INTO acls (organisation_id, grantee_id) VALUES ($1, $2)', [
    await makeOrganisation(service),
    await makeOrganisation(service),
  ]);
});

const grant = async (organisation: unknown = grantee.organisationId): Promise<Acl> =>
  ((await custadmin.client.post(path, { organisation }).expect(201)).body as { acl: Acl }).acl;

const grants = (): Promise<object[]> =>
  service.sql('SELECT grantee_id FROM acls WHERE organisation_id = $1 ORDER BY id', [organisationId]);

/** The same user at another service on the same database. */
const speakingTo = (other: TestService, { client }: MadeUser): ApiClient =>
  new ApiClient(other.url, client.hash);

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
      expect(Object.keys((body as { errors: { children: object } }).errors.children)).toEqual([
        'organisation',
      ]);
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
      const answer = custadmin.client.post(path, { organisation: doomed }).then(({ status }) => status);
      await untilBlocked(service, answer);
      await deleting.query('COMMIT');
      expect(await answer).toBe(400);
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
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => custadmin.client.delete(`${path}/${grantee.organisationId}`)),
    );
    expect(answers.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1);
    expect(answers.every(({ status }) => [204, 404].includes(status))).toBe(true);
  });

  it('does not take away the grants of another organisation to the same grantee', async () => {
    const other = await makeOrganisation(service);
    await service.sql('INSERT INTO acls (organisation_id, grantee_id) VALUES ($1, $2)', [
      other,
      grantee.organisationId,
    ]);
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

describe.each(['A', 'B'] as const)('a grant in Variant %s', (variant) => {
  let other: TestService;
  beforeAll(async () => {
    other = await startTestService(variant, { database: service.database });
  });
  afterAll(() => other.stop());

  it('lists and reads the organisation and its users until the very request after its end', async () => {
    const client = speakingTo(other, grantee.plain);
    const of = `/organisations/${organisationId}`;
    const listed = async (): Promise<number[]> => {
      const { body } = await client.get('/organisations').expect(200);
      return (body as { organisations: { id: number }[] }).organisations.map(({ id }) => id);
    };
    const read = async (status: number): Promise<void> => {
      for (const readable of [of, `${of}/users`, `${of}/users/${plain.id}`]) {
        await client.get(readable).expect(status);
      }
    };
    await read(403);
    await grant();
    await read(200);
    expect((await listed()).sort()).toEqual([organisationId, grantee.organisationId].sort());
    await custadmin.client.delete(`${path}/${grantee.organisationId}`).expect(204);
    await read(403);
    expect(await listed()).toEqual([grantee.organisationId]);
  });

  it('reads, and does nothing else', async () => {
    await grant();
    const of = `/organisations/${organisationId}`;
    const user = `${of}/users/${plain.id}`;
    const body = { name: 'x', taxNumber: 'x' };
    const person = { username: 'x@example.com', firstName: 'x', lastName: 'x' };
    for (const made of [grantee.plain, grantee.custadmin]) {
      const client = speakingTo(other, made);
      const refused = [
        client.put(of, body),
        client.patch(of, body),
        client.delete(of),
        client.get(`${of}/organisations`),
        client.get(`${of}/invitations`),
        client.post(`${of}/invitations`, { ...person, email: 'x@example.com' }),
        client.patch(user, person),
        client.delete(user),
        client.post(`${user}/actions`, { type: 'disable' }),
        client.post(`${user}/changepassword`, { oldPassword: 'x', password: 'An0ther-Passw0rd' }),
        client.get(`${user}/contacts`),
        client.post(`${user}/contacts`, { type: 'email', name: 'x@example.com' }),
        client.get(`${user}/sshkeys`),
        client.get(`${of}/teams`),
        client.post(`${of}/teams`, { name: 'x' }),
        ...(variant === 'A'
          ? [client.get(`${user}/apikeys`), client.get(`${user}/token2fa`), client.get(`${user}/preferences`)]
          : [
              client.get(`${of}/contacts`),
              client.get(`${of}/notifications`),
              client.post(`${of}/notifications`, { type: 'x', group: 'App' }),
              client.post(`${of}/acls`, { organisation: 1 }),
              client.delete(`${of}/acls/${grantee.organisationId}`),
            ]),
      ];
      for (const request of refused) await request.expect(403);
    }
  });

  it('has routes only in B', async () => {
    const admin = await asAdmin(other);
    await admin
      .post('/organisations/1/acls', { organisation: organisationId })
      .expect(variant === 'B' ? 201 : 404);
    await admin.delete(`/organisations/1/acls/${organisationId}`).expect(variant === 'B' ? 204 : 404);
  });
});
