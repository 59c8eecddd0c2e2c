import { makeCustomer, makeOrganisation } from '../support/factories/factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { type ApiClient, asAdmin } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

const IN_A_DAY = String(Math.floor(Date.now() / 1000) + 86_400);

describeSharedService(SHARED_VARIANTS, 'PUT …/grants to begin to manage, in Variant %s', (service) => {
  let grantor: Customer;
  let path: string;
  beforeEach(async () => {
    grantor = await makeCustomer(service);
    path = `/organisations/${grantor.organisationId}/grants`;
  });

  const post = (granteeId: number, access: 'read' | 'manage', client = grantor.custadmin.client) =>
    client.post(path, { organisation: granteeId, access });
  const give = async (access: 'read' | 'manage', client?: ApiClient, granteeId?: number) => {
    const { body } = await post(granteeId ?? (await makeOrganisation(service)), access, client).expect(201);
    return (body as { grant: { id: number } }).grant.id;
  };
  const change = (id: number, fields: object, client = grantor.custadmin.client) =>
    client.put(`${path}/${id}`, fields);
  const raise = (id: number, client?: ApiClient) => change(id, { access: 'manage' }, client);

  describe('belongs to whoever let it manage:', () => {
    let admin: ApiClient;
    beforeAll(async () => {
      admin = await asAdmin(service);
    });
    let reseller: Customer;
    beforeEach(async () => {
      reseller = await makeCustomer(service);
      grantor = await makeCustomer(service, { resellerId: reseller.organisationId });
      path = `/organisations/${grantor.organisationId}/grants`;
    });
    const grantorOf = async (id: number) =>
      (await service.sql`SELECT made_by_organisation AS grantor FROM acls WHERE id = ${id}`)[0];
    const endReach = () =>
      service.sql`UPDATE organisations SET reseller_id = NULL WHERE id = ${grantor.organisationId}`;

    it('a manager above, whose reach then ends it', async () => {
      const id = await give('read');
      await raise(id, reseller.custadmin.client).expect(204);
      expect(await grantorOf(id)).toEqual({ grantor: reseller.organisationId });
      await endReach();
      await grantor.custadmin.client.get(`${path}/${id}`).expect(404);
    });

    it.each<[string, () => ApiClient]>([
      ['its own manager', () => grantor.custadmin.client],
      ['an admin', () => admin],
    ])('%s, so that it ends with the reach of nobody', async (_who, clientOf) => {
      const id = await give('read', reseller.custadmin.client);
      expect(await grantorOf(id)).toEqual({ grantor: reseller.organisationId });
      await raise(id, clientOf()).expect(204);
      expect(await grantorOf(id)).toEqual({ grantor: null });
      await endReach();
      await grantor.custadmin.client.get(`${path}/${id}`).expect(200);
    });

    it('not whoever lets it end sooner, or lets it read again', async () => {
      const id = await give('manage');
      const { client } = reseller.custadmin;
      await change(id, { access: 'manage', expires: IN_A_DAY }, client).expect(204);
      await change(id, { access: 'read' }, client).expect(204);
      expect(await grantorOf(id)).toEqual({ grantor: null });
    });
  });
});
