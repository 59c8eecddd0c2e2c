import { VARIANTS } from '../../qa/variants';
import { makeCustomer, makeOrganisation } from '../support/factories/factories';
import { atOnce } from '../support/service/at-once';
import { type ApiClient, asAdmin } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

/** Grants of a giver that begin to manage in an hour (rule grants 69). */
const MOST_BEGUN = 30;

const IN_A_DAY = String(Math.floor(Date.now() / 1000) + 86_400);

describeSharedService(VARIANTS, 'a grant that begins to manage, in Variant %s', (service) => {
  let giver: Customer;
  let path: string;
  beforeEach(async () => {
    giver = await makeCustomer(service);
    path = `/organisations/${giver.organisationId}/grants`;
  });

  const post = (granteeId: number, access: 'read' | 'manage', client = giver.custadmin.client) =>
    client.post(path, { organisation: granteeId, access });
  const give = async (access: 'read' | 'manage', client?: ApiClient, granteeId?: number) => {
    const { body } = await post(granteeId ?? (await makeOrganisation(service)), access, client).expect(201);
    return (body as { grant: { id: number } }).grant.id;
  };
  const change = (id: number, fields: object, client = giver.custadmin.client) =>
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
      giver = await makeCustomer(service, { resellerId: reseller.organisationId });
      path = `/organisations/${giver.organisationId}/grants`;
    });
    const giverOf = async (id: number) =>
      (await service.sql`SELECT made_by_organisation AS giver FROM acls WHERE id = ${id}`)[0];
    const endReach = () =>
      service.sql`UPDATE organisations SET reseller_id = NULL WHERE id = ${giver.organisationId}`;

    it('a manager above, whose reach then ends it', async () => {
      const id = await give('read');
      await raise(id, reseller.custadmin.client).expect(204);
      expect(await giverOf(id)).toEqual({ giver: reseller.organisationId });
      await endReach();
      await giver.custadmin.client.get(`${path}/${id}`).expect(404);
    });

    it.each<[string, () => ApiClient]>([
      ['its own manager', () => giver.custadmin.client],
      ['an admin', () => admin],
    ])('%s, so that it ends with the reach of nobody', async (_who, clientOf) => {
      const id = await give('read', reseller.custadmin.client);
      expect(await giverOf(id)).toEqual({ giver: reseller.organisationId });
      await raise(id, clientOf()).expect(204);
      expect(await giverOf(id)).toEqual({ giver: null });
      await endReach();
      await giver.custadmin.client.get(`${path}/${id}`).expect(200);
    });

    it('not whoever lets it end sooner, or lets it read again', async () => {
      const id = await give('manage');
      const { client } = reseller.custadmin;
      await change(id, { access: 'manage', expires: IN_A_DAY }, client).expect(204);
      await change(id, { access: 'read' }, client).expect(204);
      expect(await giverOf(id)).toEqual({ giver: null });
    });
  });

  describe(`is one of ${MOST_BEGUN} of its giver in an hour:`, () => {
    const begin = async (amount: number): Promise<number[]> => {
      const ids: number[] = [];
      for (let made = 0; made < amount; made++) {
        const id = await give('manage');
        await giver.custadmin.client.delete(`${path}/${id}`).expect(204);
        ids.push(id);
      }
      return ids;
    };
    const assertRefused = async (call: ReturnType<typeof post>): Promise<void> => {
      const { body, headers } = await call.expect(429);
      expect(body).toMatchObject({ code: 429, reason: 'TOO_MANY_ATTEMPTS' });
      const wait = Number((headers as Record<string, string>)['retry-after']);
      expect(wait).toBeGreaterThan(3500);
      expect(wait).toBeLessThanOrEqual(3600);
    };

    it('further ones are refused with the time to wait, and all else goes on', async () => {
      const read = await give('read');
      const managed = await give('manage');
      const other = await give('manage');
      await begin(MOST_BEGUN - 3);
      // What is refused, and what manages already, counts for nothing.
      await post(giver.organisationId, 'manage').expect(400);
      await post(999_999, 'manage').expect(400);
      await change(managed, { access: 'manage', expires: '1' }).expect(400);
      await change(read, { access: 'manage', expires: '1' }).expect(400);
      await change(managed, { access: 'manage', expires: IN_A_DAY }).expect(204);
      await raise(read).expect(204);
      const grantee = await makeOrganisation(service);
      await assertRefused(post(grantee, 'manage'));
      await change(read, { access: 'read' }).expect(204);
      await assertRefused(raise(read));
      await assertRefused(change(managed, { access: 'manage', expires: '' }));
      await giver.custadmin.client.delete(`${path}/${other}`).expect(204);
      const id = await give('read', undefined, grantee);
      expect(await service.sql`SELECT access FROM acls WHERE id IN (${id}, ${read})`).toEqual([
        { access: 'read' },
        { access: 'read' },
      ]);
      const stranger = await makeCustomer(service);
      await stranger.custadmin.client
        .post(`/organisations/${stranger.organisationId}/grants`, { organisation: grantee, access: 'manage' })
        .expect(201);
    });

    it('16 at once get what is left, and so do 16 changes', async () => {
      const reading = await atOnce(16, () => give('read'));
      await begin(MOST_BEGUN - 20);
      const grantees = await atOnce(16, () => makeOrganisation(service));
      const posted = await Promise.all(grantees.map((grantee) => post(grantee, 'manage')));
      expect(posted.filter(({ status }) => status === 201)).toHaveLength(16);
      const raised = await Promise.all(reading.map((id) => raise(id)));
      expect(raised.filter(({ status }) => status === 204)).toHaveLength(4);
      expect(raised.filter(({ status }) => status === 429)).toHaveLength(12);
      const [row] = await service.sql`SELECT count(*)::integer AS manage FROM acls
        WHERE organisation_id = ${giver.organisationId} AND access = 'manage'`;
      expect(row).toEqual({ manage: 20 });
    });

    it('a grant that is changed back and forth by many at once begins no more often', async () => {
      const id = await give('manage');
      for (let round = 0; round < 8; round++)
        await Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            change(id, { access: index % 2 === 0 ? 'read' : 'manage' }),
          ),
        );
      const [row] = await service.sql<{ begun: number }>`SELECT count(*)::integer AS begun FROM audit_log
        WHERE table_name = 'acls' AND record_id = ${id} AND after ->> 'access' = 'manage'`;
      expect(row?.begun).toBeLessThanOrEqual(MOST_BEGUN);
      await change(id, { access: 'read' }).expect(204);
      for (let left = MOST_BEGUN - (row?.begun ?? 0); left > 0; left--) {
        await raise(id).expect(204);
        await change(id, { access: 'read' }).expect(204);
      }
      await assertRefused(raise(id));
    });
  });
});
