import { makeCustomer, makeGrant, nextNumber } from '../support/factories/factories';
import { makeTeam, register, registeredEntities } from '../support/factories/records';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { type ApiClient, asAdmin } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

describeSharedService(
  SHARED_VARIANTS,
  'records of a grantor in a team of the grantee, in Variant %s',
  (service) => {
    let admin: ApiClient;
    beforeAll(async () => {
      admin = await asAdmin(service);
    });
    let grantor: Customer;
    let agency: Customer;
    let team: string;
    let ofGrantor: number;
    let ofAgency: number;

    beforeEach(async () => {
      grantor = await makeCustomer(service);
      agency = await makeCustomer(service);
      const teamId = await makeTeam(service, agency.organisationId, {});
      team = `/organisations/${agency.organisationId}/teams/${teamId}`;
      ofGrantor = nextNumber();
      ofAgency = nextNumber();
      await register(
        service,
        {
          kind: 'app',
          id: ofGrantor,
          name: 'shop',
          organisationId: grantor.organisationId,
          domains: undefined,
        },
        {
          kind: 'app',
          id: ofAgency,
          name: 'site',
          organisationId: agency.organisationId,
          domains: undefined,
        },
      );
      await makeGrant(service, grantor.organisationId, agency.organisationId);
      for (const objectId of [ofGrantor, ofAgency])
        await agency.custadmin.client.post(`${team}/apps`, { objectId }).expect(201);
    });

    /** The names of the apps of the team by their ids. */
    const apps = async (): Promise<Record<number, string>> => {
      const { body } = await agency.custadmin.client.get(team).expect(200);
      const { teamEntities } = (body as { team: { teamEntities: { apps: { id: number; name: string }[] } } })
        .team;
      return Object.fromEntries(teamEntities.apps.map(({ id, name }) => [id, name]));
    };
    const end = (): Promise<unknown> =>
      service.sql`DELETE FROM acls WHERE organisation_id = ${grantor.organisationId}`;

    it('stay without a name when the grant ends, and a new grant brings them back', async () => {
      expect(await apps()).toEqual({ [ofGrantor]: 'shop', [ofAgency]: 'site' });
      await end();
      expect(await apps()).toEqual({ [ofGrantor]: '', [ofAgency]: 'site' });
      await makeGrant(service, grantor.organisationId, agency.organisationId);
      expect(await apps()).toEqual({ [ofGrantor]: 'shop', [ofAgency]: 'site' });
      // It may be taken out meanwhile, and then does not come back.
      await end();
      await agency.custadmin.client.delete(`${team}/apps/${ofGrantor}`).expect(204);
      await makeGrant(service, grantor.organisationId, agency.organisationId);
      expect(await apps()).toEqual({ [ofAgency]: 'site' });
    });

    it.each([
      ['while the grant is in force', false],
      ['after the grant has ended', true],
    ])('leave it when the grantor is deleted, %s', async (_, isEnded) => {
      if (isEnded) await end();
      await service.sql`UPDATE users SET enabled = false WHERE organisation_id = ${grantor.organisationId}`;
      await admin.delete(`/organisations/${grantor.organisationId}`).expect(204);
      expect(await apps()).toEqual({ [ofAgency]: 'site' });
      // Another area of the panel manages the register, and says where the record goes.
      expect(await registeredEntities(service, grantor.organisationId)).toHaveLength(1);
    });
  },
);
