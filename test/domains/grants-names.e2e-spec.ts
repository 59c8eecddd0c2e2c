import { runJobs } from '../support/service/jobs';
import { makeCustomer, makeUser, type MadeUser } from '../support/factories/factories';
import { makeServiceKey, makeSupportLogin } from '../support/factories/key-factories';
import { makeTeam } from '../support/factories/records';
import { describeService } from '../support/service/service';
import { VARIANTS } from '../support/service/variants';

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

interface Act {
  readonly actor: object;
  readonly change: { readonly kind: string };
}

describeService(VARIANTS, 'who is named to whom about a grant, in Variant %s', (service) => {
  let giver: Customer;
  let agency: Customer;
  let of: string;
  let grantId: number;
  beforeEach(async () => {
    giver = await makeCustomer(service, { name: 'Bakkerij de Vries' });
    agency = await makeCustomer(service, { name: 'Webbureau Jansen' });
    of = `/organisations/${giver.organisationId}`;
    const { body } = await giver.custadmin.client
      .post(`${of}/grants`, { organisation: agency.organisationId, access: 'manage' })
      .expect(201);
    grantId = (body as { grant: { id: number } }).grant.id;
  });

  const received = () => `/organisations/${agency.organisationId}/grants/${grantId}`;
  const audit = async ({ client }: Pick<MadeUser, 'client'>, query: string) =>
    ((await client.get(`${of}/audit?${query}`).expect(200)).body as { audit: Act[] }).audit;

  it('tells the giver only the id of an organisation out of its reach', async () => {
    await runJobs(service);
    const told = await service.sql`
      SELECT organisation_id AS "organisationId", entity_name AS "entityName", params FROM notifications
      WHERE entity_class = 'Grant' AND entity_id = ${grantId} ORDER BY id`;
    expect(told).toEqual([
      {
        ...{ organisationId: giver.organisationId, entityName: '' },
        params: { organisation: agency.organisationId },
      },
      { organisationId: agency.organisationId, entityName: 'Bakkerij de Vries', params: {} },
    ]);
  });

  it('tells the giver the name of an organisation beneath it', async () => {
    await service.sql`UPDATE organisations SET parent_id = ${giver.organisationId} WHERE id = ${agency.organisationId}`;
    await runJobs(service);
    const [told] = await service.sql`SELECT entity_name AS "entityName", params FROM notifications
      WHERE entity_class = 'Grant' AND organisation_id = ${giver.organisationId}`;
    expect(told).toEqual({ entityName: 'Webbureau Jansen', params: {} });
  });

  it('names no giver to a service key, which reads nothing by a grant', async () => {
    const { client } = await makeServiceKey(service, agency.organisationId, { operations: ['grants.*'] });
    const { body } = await client.get(received()).expect(200);
    expect((body as { grant: object }).grant).toMatchObject({
      organisation: { id: giver.organisationId, name: '' },
      grantee: { id: agency.organisationId, name: 'Webbureau Jansen' },
    });
  });

  it('masks the staff who act in the name of a user with a grant', async () => {
    const staff = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
    await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${staff.id}`;
    await service.sql`INSERT INTO support_access (organisation_id, access) VALUES (${agency.organisationId}, 'write')`;
    const support = await makeSupportLogin(service, agency.custadmin.id, staff.id, { write: true });
    await support.post(`${of}/teams`, { name: 'By support' }).expect(201);
    expect((await audit(giver.custadmin, 'kind=teams')).map(({ actor }) => actor)).toEqual([
      {
        ...{ type: 'operator', userId: null, username: '', credential: '', ip: '', reason: 'Ticket 4711' },
        onBehalfOf: { userId: agency.custadmin.id, username: agency.custadmin.username },
        ...{ organisationId: agency.organisationId, grantId },
      },
    ]);
    expect(await audit(giver.custadmin, `user=${staff.id}`)).toEqual([]);
    const { body } = await giver.custadmin.client.get(`${of}/events?limit=1000`).expect(200);
    expect((body as { events: object[] }).events).toContainEqual(
      expect.objectContaining({
        type: 'teams.created',
        data: expect.objectContaining({ actor: { type: 'operator', id: 0 } }) as object,
      }),
    );
  });

  it('finds of a user of the agency only what it did by the grant', async () => {
    const teamId = await makeTeam(service, agency.organisationId, {});
    await agency.custadmin.client.put(`${received()}/teams/${teamId}`).expect(204);
    await agency.custadmin.client.post(`${of}/teams`, { name: 'By the agency' }).expect(201);
    const found = await audit(giver.custadmin, `user=${agency.custadmin.id}`);
    expect(found.map(({ change }) => change.kind)).toEqual(['teams']);
  });
});
