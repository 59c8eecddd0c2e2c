import { VARIANTS } from '../../qa/variants';
import { makeCustomer, makeOrganisation, makeUser } from '../support/factories/factories';
import { atOnce } from '../support/service/at-once';
import { type ApiClient, asAdmin } from '../support/service/client';
import { useService } from '../support/service/service';
import { useOneHour } from '../support/service/time';

useOneHour();

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

/** Grants that a customer gives or prolongs in an hour. */
const MOST_OF_CUSTOMER = 60;

describe.each(VARIANTS)('POST …/grants: grants of a stranger, in Variant %s,', (variant) => {
  const service = useService(variant);

  let grantor: Customer;
  let agency: Customer;
  beforeEach(async () => {
    grantor = await makeCustomer(service);
    agency = await makeCustomer(service);
  });

  interface Given {
    readonly id: number;
    readonly path: string;
  }
  const pathOf = (organisationId: number) => `/organisations/${organisationId}/grants`;
  const post = (access: string, organisationId = grantor.organisationId, client = grantor.custadmin.client) =>
    client.post(pathOf(organisationId), { organisation: agency.organisationId, access });
  const give = async (
    access: string,
    organisationId = grantor.organisationId,
    client?: ApiClient,
  ): Promise<Given> => {
    const { body } = await post(access, organisationId, client).expect(201);
    const { id } = (body as { grant: { id: number } }).grant;
    return { id, path: `${pathOf(organisationId)}/${id}` };
  };
  const change = ({ path }: Given, fields: object) => grantor.custadmin.client.put(path, fields);
  const end = ({ path }: Given) => grantor.custadmin.client.delete(path).expect(204);
  const inDays = (days: number) => String(Math.floor(Date.now() / 1000) + days * 86_400);
  const assertRefused = async (call: ReturnType<ApiClient['post']>): Promise<void> => {
    const { body, headers } = await call.expect(429);
    expect(body).toMatchObject({ code: 429, reason: 'TOO_MANY_ATTEMPTS' });
    const wait = Number((headers as Record<string, string>)['retry-after']);
    expect(wait).toBeGreaterThan(3400);
    expect(wait).toBeLessThanOrEqual(3600);
  };
  describe(`are ${MOST_OF_CUSTOMER} in an hour by one customer, whatever organisations give them:`, () => {
    const beneath = () => makeOrganisation(service, { resellerId: grantor.organisationId });
    const fill = async (amount: number): Promise<void> => {
      const again = await beneath();
      for (let given = 0; given < amount; given++) {
        if (given % 2 === 0) await end(await give('read', again));
        else await give('manage', await beneath());
      }
    };

    it('further ones are refused to all of them, not to admins, and all else goes on', async () => {
      const reading = await give('read');
      await fill(MOST_OF_CUSTOMER - 2);
      await change(reading, { expires: inDays(1) }).expect(204);
      await post('write').expect(400);
      await change(reading, { expires: inDays(2) }).expect(204);
      const another = await beneath();
      const colleague = await makeUser(service, {
        organisationId: grantor.organisationId,
        roles: ['ROLE_CUSTADMIN'],
      });
      for (const access of ['read', 'manage']) {
        await assertRefused(post(access, another));
        await assertRefused(post(access, another, colleague.client));
      }
      await assertRefused(change(reading, { expires: inDays(3) }));
      await assertRefused(change(reading, { access: 'manage' }));
      await change(reading, { expires: inDays(1) }).expect(204);
      await end(reading);
      if (variant !== 'A') {
        const acls = `/organisations/${another}/acls`;
        await assertRefused(grantor.custadmin.client.post(acls, { organisation: agency.organisationId }));
      }
      await give('manage', another, await asAdmin(service));
      const stranger = await makeCustomer(service);
      await give('read', stranger.organisationId, stranger.custadmin.client);
    });

    it('16 at once get what is left', async () => {
      await fill(MOST_OF_CUSTOMER - 4);
      const organisations = await atOnce(16, beneath);
      const answers = await Promise.all(organisations.map((organisation) => post('read', organisation)));
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array<number>(4).fill(201),
        ...Array<number>(12).fill(429),
      ]);
    });

    if (variant !== 'A')
      it('those of acls count too, but not one that is there already', async () => {
        const acls = (organisationId: number) =>
          grantor.custadmin.client.post(`/organisations/${organisationId}/acls`, {
            organisation: agency.organisationId,
          });
        await fill(MOST_OF_CUSTOMER - 2);
        for (let time = 0; time < 3; time++) await acls(grantor.organisationId).expect(201);
        await acls(await beneath()).expect(201);
        await assertRefused(acls(await beneath()));
      });
  });

  describe('fill no more than a fifth of what an organisation receives:', () => {
    /** Most grants to one organisation from the organisations of one customer. */
    const MOST_TO_ONE = 200;

    const giveFrom = (resellerId: number, amount: number) =>
      service.sql(
        `WITH grantor AS (INSERT INTO organisations (name, tax_number, parent_id, reseller_id)
          SELECT 'Grantor ' || n, '', 1, $2::integer FROM generate_series(1, $3::integer) n RETURNING id)
        INSERT INTO acls (organisation_id, grantee_id) SELECT id, $1::integer FROM grantor`,
        [agency.organisationId, resellerId, amount],
      );
    const beneath = (resellerId = grantor.organisationId) => makeOrganisation(service, { resellerId });

    it('the organisations of one customer, however many it makes, so that others go on', async () => {
      await giveFrom(grantor.organisationId, MOST_TO_ONE);
      const reached = {
        code: 400,
        reason: 'LIMIT_REACHED',
        message: 'An organisation receives at most 200 grants of one customer.',
      };
      for (const another of [grantor.organisationId, await beneath(), await beneath(await beneath())])
        expect((await post('read', another).expect(400)).body).toMatchObject(reached);
      if (variant !== 'A') {
        const path = `/organisations/${grantor.organisationId}/acls`;
        const { body } = await grantor.custadmin.client
          .post(path, { organisation: agency.organisationId })
          .expect(400);
        expect(body).toMatchObject(reached);
      }
      const honest = await makeCustomer(service);
      await give('manage', honest.organisationId, honest.custadmin.client);
      const elsewhere = await makeCustomer(service);
      await grantor.custadmin.client
        .post(pathOf(grantor.organisationId), { organisation: elsewhere.organisationId })
        .expect(201);
      await service.sql`DELETE FROM acls WHERE id = (SELECT max(a.id) FROM acls a JOIN organisations o ON o.id = a.organisation_id
        WHERE a.grantee_id = ${agency.organisationId} AND o.reseller_id = ${grantor.organisationId})`;
      await give('read');
    });

    it('but each customer of a reseller by itself', async () => {
      const reseller = await makeOrganisation(service, { isReseller: true });
      await giveFrom(reseller, MOST_TO_ONE + 1);
      await expect(giveFrom(await beneath(reseller), MOST_TO_ONE + 1)).rejects.toThrow(
        '200 grants of one customer',
      );
    });
  });
});
