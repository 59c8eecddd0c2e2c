import { type MadeUser, makeCustomer, makeGrant, makeOrganisation } from '../support/factories/factories';
import { transactionBeside, untilBlocked } from '../support/faults/locks';
import { type ApiClient, asAdmin } from '../support/service/client';
import { useSharedService } from '../support/service/shared-services';

const service = useSharedService('B');
let reseller: { organisationId: number; custadmin: MadeUser };
/** Beneath the reseller over the middle one. */
let customer: { organisationId: number; custadmin: MadeUser };
let middle: number;
let grantee: { organisationId: number; plain: MadeUser };

let admin: ApiClient;
beforeAll(async () => {
  admin = await asAdmin(service);
});

beforeEach(async () => {
  reseller = await makeCustomer(service);
  middle = await makeOrganisation(service, { resellerId: reseller.organisationId });
  customer = await makeCustomer(service, { parentId: middle });
  grantee = await makeCustomer(service);
});

const grant = (grantor: ApiClient) =>
  grantor.post(`/organisations/${customer.organisationId}/acls`, { organisation: grantee.organisationId });

const move = (id: number, links: { parentOrganisation?: number; resellerOrganisation?: number | null }) =>
  admin.put(`/organisations/${id}`, { name: 'Moved', taxNumber: 'T', ...links }).expect(204);

const isReadable = async (): Promise<boolean> => {
  const { status } = await grantee.plain.client.get(`/organisations/${customer.organisationId}`);
  expect([200, 403]).toContain(status);
  return status === 200;
};

describe('POST …/acls: a grant of a manager above', () => {
  it('ends when a move of the organisation takes the reach away, and the log says by whom', async () => {
    await grant(reseller.custadmin.client).expect(201);
    expect(await isReadable()).toBe(true);
    await move(customer.organisationId, { parentOrganisation: 1 });
    expect(await isReadable()).toBe(false);
    const { body } = await customer.custadmin.client
      .get(`/organisations/${customer.organisationId}/acls`)
      .expect(200);
    expect(body).toEqual({ acls: [] });
    const [logged] = await service.sql(
      `SELECT action, actor_user_id FROM audit_log WHERE table_name = 'acls' ORDER BY id DESC LIMIT 1`,
    );
    expect(logged).toEqual({ action: 'delete', actor_user_id: 1 });
  });

  it('stays while another way leads there, and ends with the last', async () => {
    await grant(reseller.custadmin.client).expect(201);
    await move(customer.organisationId, { resellerOrganisation: reseller.organisationId });
    await move(middle, { resellerOrganisation: null });
    expect(await isReadable()).toBe(true);
    await move(customer.organisationId, { resellerOrganisation: null });
    expect(await isReadable()).toBe(false);
  });

  it('stays when the organisation moves within the reach, and does not come back with the reach', async () => {
    await grant(reseller.custadmin.client).expect(201);
    await move(customer.organisationId, { parentOrganisation: reseller.organisationId });
    expect(await isReadable()).toBe(true);
    await move(customer.organisationId, { parentOrganisation: 1 });
    await move(customer.organisationId, { parentOrganisation: middle });
    expect(await isReadable()).toBe(false);
    await grant(reseller.custadmin.client).expect(201);
    expect(await isReadable()).toBe(true);
  });

  it('is rolled back with a move that fails', async () => {
    await grant(reseller.custadmin.client).expect(201);
    await admin
      .put(`/organisations/${customer.organisationId}`, {
        name: 'Moved',
        taxNumber: 'T',
        parentOrganisation: customer.organisationId,
      })
      .expect(400);
    expect(await isReadable()).toBe(true);
  });
});

describe('POST …/acls: a grant stays when the reseller goes, given', () => {
  const leaves = async (): Promise<boolean> => {
    await move(middle, { resellerOrganisation: null });
    return isReadable();
  };

  it('before grantors were known', async () => {
    await makeGrant(service, customer.organisationId, grantee.organisationId);
    expect(await leaves()).toBe(true);
  });

  it('first by its own manager, then again from above', async () => {
    await grant(customer.custadmin.client).expect(201);
    await grant(reseller.custadmin.client).expect(201);
    expect(await leaves()).toBe(true);
  });

  it('but not first from above, then again by its own', async () => {
    await grant(reseller.custadmin.client).expect(201);
    await grant(customer.custadmin.client).expect(201);
    expect(await leaves()).toBe(false);
  });
});

describe('POST …/acls: a grant and a move at once', () => {
  const outOfReach = (): Promise<object[]> =>
    service.sql(
      `SELECT a.id FROM acls a WHERE made_by_organisation IS NOT NULL AND NOT EXISTS (
         SELECT FROM organisation_closure
         WHERE ancestor_id = a.made_by_organisation AND descendant_id = a.organisation_id)`,
    );

  it('wait for each other: the grant that comes second is refused', async () => {
    await using moving = await transactionBeside(service);
    await moving.query('UPDATE organisations SET reseller_id = NULL WHERE id = $1', [middle]);
    const status = grant(reseller.custadmin.client).then((response) => response.status);
    await untilBlocked(service, status);
    await moving.query('COMMIT');
    expect(await status).toBe(403);
    expect(await isReadable()).toBe(false);
  });

  it('leave no grant of who has lost its reach, in 16 rounds of 16', async () => {
    const grantees = await Promise.all(Array.from({ length: 8 }, () => makeOrganisation(service)));
    const statuses = new Set<number>();
    for (let round = 0; round < 16; round++) {
      const responses = await Promise.all([
        ...grantees.map((organisation) =>
          reseller.custadmin.client.post(`/organisations/${customer.organisationId}/acls`, { organisation }),
        ),
        ...grantees.map((_, index) =>
          admin.put(`/organisations/${middle}`, {
            name: 'Moved',
            taxNumber: 'T',
            resellerOrganisation: index % 2 === 0 ? null : reseller.organisationId,
          }),
        ),
      ]);
      for (const { status } of responses) statuses.add(status);
      expect(await outOfReach()).toEqual([]);
    }
    expect([...statuses].filter((status) => ![201, 204, 403].includes(status))).toEqual([]);
  });
});
