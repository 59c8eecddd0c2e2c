import { grantOfGrantor } from '../../qa/responses';
import {
  type MadeUser,
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
} from '../support/factories/factories';
import { makeServiceKey } from '../support/factories/key-factories';
import { makeTeam } from '../support/factories/records';
import { suspend } from '../support/factories/suspensions-factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { asAdmin } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { describeSharedService } from '../support/service/shared-services';
import { letExpire } from '../support/service/time';

interface Act {
  readonly actor: object;
  readonly change: { readonly kind: string };
}

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

const UNCOVERED = { code: 403, reason: 'GRANT_DOES_NOT_COVER' };

describeSharedService(SHARED_VARIANTS, '…/grants in Variant %s', (service, variant) => {
  describe('a grant to read', () => {
    let organisationId: number;
    let plain: MadeUser;
    let grantee: { organisationId: number; custadmin: MadeUser; plain: MadeUser };
    beforeEach(async () => {
      ({ organisationId, plain } = await makeCustomer(service));
      grantee = await makeCustomer(service, { name: 'Webbureau Jansen' });
      // Another customer's grant stands beside every one.
      await makeGrant(service, await makeOrganisation(service), await makeOrganisation(service));
    });

    const grant = () => makeGrant(service, organisationId, grantee.organisationId);

    it('lists and reads the organisation and its users until the very request after its end', async () => {
      const { client } = grantee.plain;
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
      await service.sql`DELETE FROM acls WHERE organisation_id = ${organisationId}`;
      await read(403);
      expect(await listed()).toEqual([grantee.organisationId]);
    });
  });

  describe('a grant to manage', () => {
    let grantor: Customer;
    let agency: Customer;
    let member: MadeUser;
    let of: string;
    let grantId: number;
    let teamId: number;
    beforeEach(async () => {
      grantor = await makeCustomer(service, { name: 'Bakkerij de Vries' });
      agency = await makeCustomer(service, { name: 'Webbureau Jansen' });
      member = await makeUser(service, { organisationId: agency.organisationId });
      of = `/organisations/${grantor.organisationId}`;
      teamId = await makeTeam(service, agency.organisationId, { userIds: [member.id] });
      const { body } = await grantor.custadmin.client
        .post(`${of}/grants`, { organisation: agency.organisationId, access: 'manage' })
        .expect(201);
      grantId = (body as { grant: { id: number } }).grant.id;
    });

    const received = () => `/organisations/${agency.organisationId}/grants/${grantId}`;
    const addTeam = () => agency.custadmin.client.put(`${received()}/teams/${teamId}`).expect(204);
    const named = { name: 'Bakkerij de Vries', taxNumber: 'NL001' };
    const listsTeams = (user: MadeUser, status: number) => user.client.get(`${of}/teams`).expect(status);

    it('is for the CUSTADMINs of the agency, and with a team for its members until they leave it', async () => {
      await listsTeams(agency.custadmin, 200);
      await listsTeams(member, 403);
      await member.client.get(of).expect(403);
      await addTeam();
      await listsTeams(member, 200);
      await member.client.patch(of, { ...named, city: 'Gent' }).expect(204);
      await listsTeams(agency.plain, 403);
      await agency.custadmin.client
        .delete(`/organisations/${agency.organisationId}/teams/${teamId}/users/${member.id}`)
        .expect(204);
      await listsTeams(member, 403);
      await agency.custadmin.client.delete(`${received()}/teams/${teamId}`).expect(204);
      await listsTeams(agency.custadmin, 200);
    });

    it('narrows a grant to read too, for good', async () => {
      await grantor.custadmin.client.put(`${of}/grants/${grantId}`, { access: 'read' }).expect(204);
      await agency.plain.client.get(of).expect(200);
      await addTeam();
      await agency.plain.client.get(of).expect(403);
      await member.client.get(of).expect(200);
      await listsTeams(member, 403);
      const { body } = await agency.plain.client.get('/organisations').expect(200);
      expect((body as { organisations: { id: number }[] }).organisations.map(({ id }) => id)).toEqual([
        agency.organisationId,
      ]);
      await service.sql`DELETE FROM teams WHERE id = ${teamId}`;
      await member.client.get(of).expect(403);
      await agency.custadmin.client.get(of).expect(200);
    });

    it('leaves whoami and roles as they are, and nothing beneath', async () => {
      const beneath = await makeOrganisation(service, { parentId: grantor.organisationId });
      const { body } = await agency.custadmin.client.get('/whoami').expect(200);
      expect(body).toMatchObject({ organisationId: agency.organisationId });
      await agency.custadmin.client.get(`/organisations/${beneath}`).expect(403);
      const listed = await agency.custadmin.client.get(`${of}/organisations`).expect(403);
      expect(listed.body).toMatchObject(UNCOVERED);
    });

    it('never moves the organisation, makes it another type, or says who needs a second factor', async () => {
      const { client } = agency.custadmin;
      for (const change of [
        // Variant B has no such fields.
        ...(variant === 'A' ? [{ required2fa: true }, { organisationType: 2 }] : []),
        { resellerOrganisation: agency.organisationId },
      ]) {
        const { body } = await client.patch(of, { ...named, ...change }).expect(403);
        expect(body).toMatchObject(UNCOVERED);
      }
      await client.patch(of, { ...named, city: 'Gent', organisationType: 1 }).expect(204);
      expect((await client.delete(of).expect(403)).body).toMatchObject(UNCOVERED);
    });

    it('is used by nobody without the second factor that the grantor demands', async () => {
      await service.sql`UPDATE organisations SET required_2fa = true WHERE id = ${grantor.organisationId}`;
      const { client, id } = agency.custadmin;
      for (const path of [of, `${of}/teams`])
        expect((await client.get(path).expect(403)).body).toMatchObject({ reason: 'SECOND_FACTOR_REQUIRED' });
      await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${id}`;
      await client.get(`${of}/teams`).expect(200);
      await service.sql`UPDATE users SET second_factor = 'disabled', totp_secret = NULL WHERE id = ${id}`;
      await client.get(`${of}/teams`).expect(403);
    });

    it('gives nothing while the grantor is suspended, and nothing once it has ended', async () => {
      const { client } = agency.custadmin;
      await suspend(await asAdmin(service), grantor.organisationId);
      await client.get(of).expect(403);
      await service.sql`DELETE FROM suspensions`;
      await client.get(of).expect(200);
      await letExpire(service, 'acls', { id: grantId });
      await client.get(of).expect(403);
      await grantor.custadmin.client.get(`${of}/grants/${grantId}`).expect(404);
      await grantor.custadmin.client
        .post(`${of}/grants`, { organisation: agency.organisationId, access: 'manage' })
        .expect(201);
      await client.get(of).expect(200);
    });

    it('is ended by either, and used by no key of the agency', async () => {
      const ofAgency = await makeServiceKey(service, agency.organisationId, { operations: ['teams.*'] });
      await ofAgency.client.get(`${of}/teams`).expect(403);
      await agency.custadmin.client.put(received(), { access: 'read' }).expect(403);
      await agency.custadmin.client.delete(received()).expect(204);
      await agency.custadmin.client.get(of).expect(403);
    });

    it('is given by no organisation of the operator', async () => {
      const admin = await asAdmin(service);
      const at = '/organisations/1/grants';
      const organisation = agency.organisationId;
      const refused = await admin.post(at, { organisation, access: 'manage' }).expect(400);
      expect(refused.body).toMatchObject({ reasons: { access: ['NOT_A_CHOICE'] } });
      const { body } = await admin.post(at, { organisation }).expect(201);
      const path = `${at}/${(body as { grant: { id: number } }).grant.id}`;
      const raised = await admin.put(path, { access: 'manage' }).expect(400);
      expect(raised.body).toMatchObject({ reasons: { access: ['NOT_A_CHOICE'] } });
      await admin.delete(path).expect(204);
    });

    it('shows the teams to the agency alone, and names only in reach', async () => {
      await addTeam();
      const ofGrantor = await grantor.custadmin.client.get(`${of}/grants/${grantId}`).expect(200);
      expect((ofGrantor.body as { grant: object }).grant).toEqual(
        grantOfGrantor({
          id: grantId,
          organisation: { id: grantor.organisationId, name: expect.stringMatching(/./) as string },
          grantee: { id: agency.organisationId, name: '' },
          onlyTeams: true,
          dtCreated: expect.stringMatching(/^\d+$/) as string,
        }),
      );
      const { body } = await agency.custadmin.client.get(received()).expect(200);
      expect((body as { grant: object }).grant).toMatchObject({ teams: [{ id: teamId }] });
      const foreign = await makeTeam(service, grantor.organisationId, {});
      await agency.custadmin.client.put(`${received()}/teams/${foreign}`).expect(404);
    });

    it('says in the audit log who did what by which grant, and in events whom it is for', async () => {
      await agency.custadmin.client.patch(of, { ...named, city: 'Gent' }).expect(204);
      const { body } = await grantor.custadmin.client.get(`${of}/audit?kind=organisations`).expect(200);
      expect((body as { audit: { actor: object }[] }).audit.map(({ actor }) => actor)).toContainEqual({
        type: 'user',
        userId: agency.custadmin.id,
        username: agency.custadmin.username,
        credential: '',
        ip: '',
        organisationId: agency.organisationId,
        grantId,
      });
      await grantor.custadmin.client.put(`${of}/grants/${grantId}`, { access: 'read' }).expect(204);
      const [event] = await service.sql<{ type: string; recordId: number }>`
      SELECT 1 AS type, (SELECT grantee_id FROM acls WHERE id = ${grantId}) AS "recordId"`;
      expect(event?.recordId).toBe(agency.organisationId);
      const feed = await grantor.custadmin.client.get(`${of}/events?limit=1000`).expect(200);
      expect((feed.body as { events: object[] }).events).toContainEqual(
        expect.objectContaining({
          type: 'acls.updated',
          data: expect.objectContaining({ recordId: agency.organisationId }) as object,
        }),
      );
    });

    it('is mailed about to both sides: begin and end', async () => {
      /** The news since the last call, each for the grantor and the agency. */
      let last = 0;
      const told = async () => {
        await runJobs(service);
        const rows = await service.sql<{ id: number; organisationId: number; type: string }>`
        SELECT id, organisation_id AS "organisationId", type FROM notifications
        WHERE entity_class = 'Grant' AND entity_id = ${grantId} AND id > ${last} ORDER BY id`;
        last = rows.at(-1)?.id ?? last;
        return rows.map(({ organisationId, type }) => [organisationId, type]);
      };
      const both = (news: string) => [
        [grantor.organisationId, `given_${news}`],
        [agency.organisationId, `received_${news}`],
      ];
      const change = (body: object) =>
        grantor.custadmin.client.put(`${of}/grants/${grantId}`, body).expect(204);
      const sweep = () => service.sql`SELECT graphile_worker.add_job('grants.end', '{}')`;
      expect(await told()).toEqual(both('begun'));
      await change({ expires: String(Math.floor(Date.now() / 1000) + 30 * 86_400) });
      await change({ expires: '' });
      expect(await told()).toEqual([]);
      await change({ access: 'read' });
      expect(await told()).toEqual(both('ended'));
      await change({ access: 'manage' });
      expect(await told()).toEqual(both('begun'));
      await letExpire(service, 'acls', { id: grantId });
      await sweep();
      await runJobs(service);
      expect(await told()).toEqual(both('ended'));
      expect(await service.sql`SELECT FROM acls WHERE id = ${grantId}`).toEqual([]);
    });

    describe('and who is named to whom about it', () => {
      const audit = async ({ client }: Pick<MadeUser, 'client'>, query: string) =>
        ((await client.get(`${of}/audit?${query}`).expect(200)).body as { audit: Act[] }).audit;

      it('tells each only the id of the other: of one out of the reach, of one whose grant has no team yet', async () => {
        await runJobs(service);
        const told = await service.sql`
      SELECT organisation_id AS "organisationId", entity_name AS "entityName", params FROM notifications
      WHERE entity_class = 'Grant' AND entity_id = ${grantId} ORDER BY id`;
        expect(told).toEqual([
          {
            organisationId: grantor.organisationId,
            entityName: '',
            params: { organisation: agency.organisationId },
          },
          {
            organisationId: agency.organisationId,
            entityName: '',
            params: { organisation: grantor.organisationId },
          },
        ]);
      });

      it('tells the grantor the name of an organisation beneath it', async () => {
        await service.sql`UPDATE organisations SET parent_id = ${grantor.organisationId} WHERE id = ${agency.organisationId}`;
        await grantor.custadmin.client.put(`${of}/grants/${grantId}`, { access: 'read' }).expect(204);
        await runJobs(service);
        const [told] = await service.sql`SELECT entity_name AS "entityName", params FROM notifications
      WHERE entity_class = 'Grant' AND organisation_id = ${grantor.organisationId} AND type = 'given_ended'`;
        expect(told).toEqual({ entityName: 'Webbureau Jansen', params: {} });
      });

      it('names no grantor to a service key, which reads nothing by a grant', async () => {
        const { client } = await makeServiceKey(service, agency.organisationId, { operations: ['grants.*'] });
        const { body } = await client.get(received()).expect(200);
        expect((body as { grant: object }).grant).toMatchObject({
          organisation: { id: grantor.organisationId, name: '' },
          grantee: { id: agency.organisationId, name: 'Webbureau Jansen' },
        });
      });

      it('finds of a user of the agency only what it did by the grant', async () => {
        const teamId = await makeTeam(service, agency.organisationId, {});
        await agency.custadmin.client.put(`${received()}/teams/${teamId}`).expect(204);
        await agency.custadmin.client.patch(of, { ...named, city: 'Gent' }).expect(204);
        const found = await audit(grantor.custadmin, `user=${agency.custadmin.id}`);
        expect(found.map(({ change }) => change.kind)).toEqual(['organisations']);
      });
    });
  });
});
