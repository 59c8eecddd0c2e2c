import { Client, type DatabaseError } from 'pg';
import { type PerVariant, VARIANTS } from '../../qa/variants';
import {
  type Customer,
  type MadeUser,
  makeCustomer,
  makeOrganisation,
  makeUser,
} from '../support/factories/factories';
import { passkeysOf, storePasskey } from '../support/factories/passkey-factories';
import { makeTeam } from '../support/factories/records';
import { atOnce } from '../support/service/at-once';
import { type ApiClient, asAdmin } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { type TestService } from '../support/service/service';
import { describeSharedService } from '../support/service/shared-services';
import { letExpire } from '../support/service/time';

const MOST_RECEIVED = 1000;

const LIMIT_REACHED = {
  code: 400,
  reason: 'LIMIT_REACHED',
  message: 'An organisation receives at most 1000 grants.',
};

interface Factors {
  readonly service: TestService;
  readonly agency: Customer;
  readonly user: MadeUser;
}

const enableCodes = ({ service, user }: Factors): Promise<unknown> =>
  service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${user.id}`;

/** How a second factor goes. Variant B has no route for it: Variant A or the command line does it beside. */
const ENDS_OF_FACTORS: PerVariant<Readonly<Record<'codes' | 'passkey', (of: Factors) => Promise<unknown>>>> =
  {
    A: {
      codes: ({ agency, user }) =>
        agency.custadmin.client
          .patch(`/organisations/${agency.organisationId}/users/${user.id}/disable2fa`)
          .expect(204),
      passkey: async ({ service, agency, user }) => {
        const [row] = await service.sql<{ id: number }>`SELECT id FROM passkeys WHERE user_id = ${user.id}`;
        await agency.custadmin.client.delete(`${passkeysOf(user)}/${row?.id}`).expect(204);
      },
    },
    B: {
      codes: ({ service, user }) =>
        service.sql`UPDATE users SET second_factor = 'disabled', totp_secret = NULL WHERE id = ${user.id}`,
      passkey: ({ service, user }) => service.sql`DELETE FROM passkeys WHERE user_id = ${user.id}`,
    },
  };

describeSharedService(VARIANTS, '…/grants: a grant to manage in Variant %s', (service, variant) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let agency: Customer;
  beforeEach(async () => {
    agency = await makeCustomer(service);
  });

  const give = (client: ApiClient, organisationId: number) =>
    client.post(`/organisations/${organisationId}/grants`, {
      organisation: agency.organisationId,
      access: 'manage',
    });

  describe('is one of 1,000 that an organisation receives at most:', () => {
    const receive = (amount: number) =>
      service.sql(
        `WITH grantor AS (INSERT INTO organisations (name, tax_number, parent_id)
          SELECT 'Grantor ' || n, '', 1 FROM generate_series(1, $2::integer) n RETURNING id)
        INSERT INTO acls (organisation_id, grantee_id) SELECT id, $1::integer FROM grantor`,
        [agency.organisationId, amount],
      );
    const received = async (): Promise<number> =>
      (await service.sql`SELECT FROM acls WHERE grantee_id = ${agency.organisationId}`).length;

    it('whoever has given learns that it has, and not that there is no room, and what has ended counts no more', async () => {
      await receive(MOST_RECEIVED - 1);
      const grantor = await makeCustomer(service);
      const other = await makeCustomer(service);
      await give(grantor.custadmin.client, grantor.organisationId).expect(201);
      const again = await give(grantor.custadmin.client, grantor.organisationId).expect(400);
      expect(again.body).toMatchObject({ reasons: { organisation: ['ALREADY_TAKEN'] } });
      const refused = await give(other.custadmin.client, other.organisationId).expect(400);
      expect(refused.body).toMatchObject(LIMIT_REACHED);
      await letExpire(service, 'acls', { organisation_id: grantor.organisationId });
      await give(other.custadmin.client, other.organisationId).expect(201);
    });

    it('the database counts them too', async () => {
      await receive(MOST_RECEIVED - 1);
      const grantors = await atOnce(16, () => makeOrganisation(service));
      const clients = grantors.map(() => new Client({ connectionString: service.database.url }));
      await Promise.all(clients.map((client) => client.connect()));
      try {
        const refused = await Promise.all(
          grantors.map((grantor, index) =>
            (clients[index] as Client)
              .query('INSERT INTO acls (organisation_id, grantee_id) VALUES ($1, $2)', [
                grantor,
                agency.organisationId,
              ])
              .then(
                () => undefined,
                (error: DatabaseError) => error.constraint,
              ),
          ),
        );
        expect(refused.filter((constraint) => constraint === undefined)).toHaveLength(1);
        expect(refused.filter((constraint) => constraint === 'acls_limit_of_grantee')).toHaveLength(15);
      } finally {
        await Promise.all(clients.map((client) => client.end()));
      }
      expect(await received()).toBe(MOST_RECEIVED);
    });
  });

  describe('ends with the reach of the manager above who gave it:', () => {
    let reseller: Customer;
    let middle: number;
    let grantor: Customer;
    beforeEach(async () => {
      reseller = await makeCustomer(service);
      middle = await makeOrganisation(service, { resellerId: reseller.organisationId });
      grantor = await makeCustomer(service, { parentId: middle });
    });

    const move = (id: number, links: object) =>
      admin.patch(`/organisations/${id}`, { name: 'Moved', taxNumber: 'T', ...links }).expect(204);
    const manages = (status: number) =>
      agency.custadmin.client.get(`/organisations/${grantor.organisationId}/teams`).expect(status);
    const grants = async (): Promise<unknown> =>
      (await grantor.custadmin.client.get(`/organisations/${grantor.organisationId}/grants`).expect(200))
        .body;

    it.each<[string, () => Promise<unknown>]>([
      ['the grantor moves', () => move(grantor.organisationId, { parentOrganisation: 1 })],
      ['an organisation between moves', () => move(middle, { resellerOrganisation: null })],
    ])('when %s, with the next request, and does not come back', async (_, moves) => {
      await give(reseller.custadmin.client, grantor.organisationId).expect(201);
      await manages(200);
      await moves();
      await manages(403);
      expect(await grants()).toEqual({ total: 0, grants: [] });
      await move(grantor.organisationId, { parentOrganisation: middle });
      await move(middle, { resellerOrganisation: reseller.organisationId });
      await reseller.custadmin.client.get(`/organisations/${grantor.organisationId}`).expect(200);
      await manages(403);
    });

    it('both sides are told', async () => {
      await give(reseller.custadmin.client, grantor.organisationId).expect(201);
      await move(middle, { resellerOrganisation: null });
      await runJobs(service);
      const told = await service.sql`SELECT organisation_id AS id, type FROM notifications
        WHERE entity_class = 'Grant' AND organisation_id IN (${grantor.organisationId}, ${agency.organisationId})
        ORDER BY notifications.id`;
      expect(told).toEqual([
        { id: grantor.organisationId, type: 'given_begun' },
        { id: agency.organisationId, type: 'received_begun' },
        { id: grantor.organisationId, type: 'given_ended' },
        { id: agency.organisationId, type: 'received_ended' },
      ]);
    });

    it('not when the agency moves, nor when the grantor itself or an admin gave it', async () => {
      await give(reseller.custadmin.client, grantor.organisationId).expect(201);
      await move(agency.organisationId, { parentOrganisation: reseller.organisationId });
      await move(agency.organisationId, { parentOrganisation: 1 });
      await manages(200);
      for (const client of [grantor.custadmin.client, admin]) {
        await service.sql`DELETE FROM acls WHERE organisation_id = ${grantor.organisationId}`;
        await give(client, grantor.organisationId).expect(201);
        await move(middle, { resellerOrganisation: null });
        await manages(200);
        await move(middle, { resellerOrganisation: reseller.organisationId });
      }
    });
  });

  describe('lets nobody in where a second factor is demanded,', () => {
    let grantor: Customer;
    let user: MadeUser;
    let of: string;
    beforeEach(async () => {
      grantor = await makeCustomer(service, { required2fa: true });
      await give(admin, grantor.organisationId).expect(201);
      const [row] = await service.sql<{ id: number }>`SELECT id FROM acls
        WHERE organisation_id = ${grantor.organisationId}`;
      user = await makeUser(service, { organisationId: agency.organisationId });
      const teamId = await makeTeam(service, agency.organisationId, { userIds: [user.id] });
      await agency.custadmin.client
        .put(`/organisations/${agency.organisationId}/grants/${row?.id}/teams/${teamId}`)
        .expect(204);
      of = `/organisations/${grantor.organisationId}`;
    });

    /** A passkey counts for the logins that were made with it alone. */
    async function logInByPasskey(): Promise<void> {
      const passkeyId = await storePasskey(service, user.id);
      await service.sql`UPDATE logins SET passkey_id = ${passkeyId} WHERE user_id = ${user.id}`;
    }

    const write = () => user.client.patch(of, { name: 'Named by the agency', taxNumber: 'NL001' });
    const assertRefused = async (): Promise<void> => {
      for (const refused of [write(), user.client.get(`${of}/teams`), user.client.get(of)])
        expect((await refused.expect(403)).body).toMatchObject({ reason: 'SECOND_FACTOR_REQUIRED' });
    };

    it.each<['codes' | 'passkey', (of: Factors) => Promise<unknown>]>([
      ['codes', enableCodes],
      ['passkey', logInByPasskey],
    ])('once the %s of the user are gone, with the next request', async (kind, enable) => {
      const factors = { service, agency, user };
      await assertRefused();
      await enable(factors);
      await write().expect(204);
      await ENDS_OF_FACTORS[variant][kind](factors);
      await assertRefused();
    });

    it('also by a login of a passkey that is gone, whatever the user has added since', async () => {
      const factors = { service, agency, user };
      await logInByPasskey();
      await write().expect(204);
      await ENDS_OF_FACTORS[variant].passkey(factors);
      await storePasskey(service, user.id);
      await assertRefused();
      await enableCodes(factors);
      await assertRefused();
    });

    it('but not while one of the two is left', async () => {
      const factors = { service, agency, user };
      await enableCodes(factors);
      await logInByPasskey();
      await ENDS_OF_FACTORS[variant].codes(factors);
      await write().expect(204);
      await ENDS_OF_FACTORS[variant].passkey(factors);
      await assertRefused();
    });
  });
});
