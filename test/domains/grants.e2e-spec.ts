import type { Test } from 'supertest';
import { runJobs } from '../support/service/jobs';
import {
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
  type MadeUser,
} from '../support/factories/factories';
import { makeContact, makeTeam } from '../support/factories/records';
import { makeApiKey, makeServiceKey, makeSupportLogin } from '../support/factories/key-factories';
import { suspend } from '../support/factories/suspensions-factories';
import { type ApiClient, asAdmin } from '../support/service/client';
import { describeService } from '../support/service/service';
import { type PerVariant, VARIANTS } from '../support/service/variants';

interface Act {
  readonly actor: object;
  readonly change: { readonly kind: string };
}

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

const UNCOVERED = { code: 403, reason: 'GRANT_DOES_NOT_COVER' };

interface Refused {
  readonly client: ApiClient;
  readonly of: string;
  readonly user: string;
}

/** What a grantee may not do either, on the routes that not every variant has. */
const MORE_REFUSED: PerVariant<(asked: Refused) => readonly Test[]> = {
  A: ({ client, user }) => [
    client.get(`${user}/apikeys`),
    client.get(`${user}/token2fa`),
    client.get(`${user}/preferences`),
  ],
  B: ({ client, of }) => [
    client.get(`${of}/contacts`),
    client.get(`${of}/notifications`),
    client.post(`${of}/notifications`, { type: 'x', group: 'App' }),
    client.post(`${of}/acls`, { organisation: 1 }),
  ],
};

/** Giving a grant, and taking it back. */
const STATUSES: PerVariant<readonly [number, number]> = { A: [404, 404], B: [201, 204] };

describeService(VARIANTS, 'grants in Variant %s', (service, variant) => {
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

    it('reads, and does nothing else', async () => {
      await grant();
      const of = `/organisations/${organisationId}`;
      const user = `${of}/users/${plain.id}`;
      const body = { name: 'x', taxNumber: 'x' };
      const person = { username: 'x@example.com', firstName: 'x', lastName: 'x' };
      for (const { client } of [grantee.plain, grantee.custadmin]) {
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
          ...MORE_REFUSED[variant]({ client, of, user }),
        ];
        for (const request of refused) await request.expect(403);
      }
    });

    it('has the routes that its variant has', async () => {
      const admin = await asAdmin(service);
      const [created, deleted] = STATUSES[variant];
      await admin.post('/organisations/1/acls', { organisation: organisationId }).expect(created);
      await admin.delete(`/organisations/1/acls/${organisationId}`).expect(deleted);
    });
  });

  describe('a grant to manage', () => {
    let giver: Customer;
    let agency: Customer;
    let member: MadeUser;
    let of: string;
    let grantId: number;
    let teamId: number;
    beforeEach(async () => {
      giver = await makeCustomer(service, { name: 'Bakkerij de Vries' });
      agency = await makeCustomer(service, { name: 'Webbureau Jansen' });
      member = await makeUser(service, { organisationId: agency.organisationId });
      of = `/organisations/${giver.organisationId}`;
      teamId = await makeTeam(service, agency.organisationId, { userIds: [member.id] });
      const { body } = await giver.custadmin.client
        .post(`${of}/grants`, { organisation: agency.organisationId, access: 'manage' })
        .expect(201);
      grantId = (body as { grant: { id: number } }).grant.id;
    });

    const received = () => `/organisations/${agency.organisationId}/grants/${grantId}`;
    const addTeam = () => agency.custadmin.client.put(`${received()}/teams/${teamId}`).expect(204);
    const listsTeams = (user: MadeUser, status: number) => user.client.get(`${of}/teams`).expect(status);

    it('is for the CUSTADMINs of the agency, and with a team for its members until they leave it', async () => {
      await listsTeams(agency.custadmin, 200);
      await listsTeams(member, 403);
      await member.client.get(of).expect(403);
      await addTeam();
      await listsTeams(member, 200);
      await member.client.post(`${of}/teams`, { name: 'By the agency' }).expect(201);
      await listsTeams(agency.plain, 403);
      await agency.custadmin.client
        .delete(`/organisations/${agency.organisationId}/teams/${teamId}/users/${member.id}`)
        .expect(204);
      await listsTeams(member, 403);
      await agency.custadmin.client.delete(`${received()}/teams/${teamId}`).expect(204);
      await listsTeams(agency.custadmin, 200);
    });

    it('narrows a grant to read too, for good', async () => {
      await giver.custadmin.client.put(`${of}/grants/${grantId}`, { access: 'read' }).expect(204);
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
      const beneath = await makeOrganisation(service, { parentId: giver.organisationId });
      const { body } = await agency.custadmin.client.get('/whoami').expect(200);
      expect(body).toMatchObject({ organisationId: agency.organisationId });
      await agency.custadmin.client.get(`/organisations/${beneath}`).expect(403);
      const listed = await agency.custadmin.client.get(`${of}/organisations`).expect(403);
      expect(listed.body).toMatchObject(UNCOVERED);
    });

    it.each(['audit', 'events', 'access', 'grants', 'servicekeys', 'webhooks', 'supportaccess', 'actions'])(
      'never reads %s',
      async (path) => {
        const { body } = await agency.custadmin.client.get(`${of}/${path}`).expect(403);
        expect(body).toMatchObject(UNCOVERED);
      },
    );

    it('never moves the organisation, and never says who needs a second factor', async () => {
      const { client } = agency.custadmin;
      const named = { name: 'Bakkerij de Vries', taxNumber: 'NL001' };
      for (const change of [
        // Variant B has no such field.
        ...(variant === 'A' ? [{ required2fa: true }] : []),
        { resellerOrganisation: agency.organisationId },
      ]) {
        const { body } = await client.patch(of, { ...named, ...change }).expect(403);
        expect(body).toMatchObject(UNCOVERED);
      }
      await client.patch(of, { ...named, city: 'Gent' }).expect(204);
      // A CUSTADMIN may not either.
      await client.delete(of).expect(500);
    });

    it('never makes or touches a CUSTADMIN, gives no role and no name', async () => {
      const { client } = agency.custadmin;
      const { id, username } = giver.plain;
      const person = { firstName: 'Jan', lastName: 'Peeters', language: 'nl' };
      const invited = { email: `new${id}@example.com`, firstName: 'Jan', lastName: 'Peeters' };
      const contact = await makeContact(service, {
        organisationId: giver.organisationId,
        userId: giver.custadmin.id,
      });
      const refusals = [
        client.delete(`${of}/users/${giver.custadmin.id}`),
        client.post(`${of}/users/${giver.custadmin.id}/actions`, { type: 'disable' }),
        client.get(`${of}/users/${giver.custadmin.id}/contacts`),
        client.get(`${of}/users/${giver.custadmin.id}/contacts/${contact}`),
        client.get(`${of}/users/${id}/logins`),
        client.patch(`${of}/users/${id}`, { ...person, username, defaultRoles: 'ROLE_APP' }),
        client.patch(`${of}/users/${id}`, { ...person, username: `x${username}` }),
        client.post(`${of}/invitations`, { ...invited, autoRoles: 'ROLE_APP' }),
      ];
      for (const refusal of refusals) expect((await refusal.expect(403)).body).toMatchObject(UNCOVERED);
      await client.patch(`${of}/users/${id}`, { ...person, username }).expect(204);
      await client.post(`${of}/invitations`, invited).expect(201);
      await client.get(`${of}/users/${id}/contacts`).expect(200);
      await service.sql`UPDATE users SET username = ${`name${id}`} WHERE id = ${id}`;
      expect((await client.get(`${of}/users/${id}/contacts`).expect(403)).body).toMatchObject(UNCOVERED);
    });

    it('never sends an invitation of a CUSTADMIN again', async () => {
      const invited = { email: 'boss@example.com', firstName: 'Jan', lastName: 'Peeters' };
      const { body } = await giver.custadmin.client
        .post(`${of}/invitations`, { ...invited, autoRoles: 'ROLE_CUSTADMIN' })
        .expect(201);
      const { id } = (body as { invitation: { id: number } }).invitation;
      const { client } = agency.custadmin;
      for (const call of [
        client.post(`${of}/invitations/${id}/resend`),
        client.put(`${of}/invitations/${id}`, { ...invited, email: 'other@example.com' }),
      ])
        expect((await call.expect(403)).body).toMatchObject(UNCOVERED);
    });

    it('only reads without the second factor that the giver demands', async () => {
      await service.sql`UPDATE organisations SET required_2fa = true WHERE id = ${giver.organisationId}`;
      const { client, id } = agency.custadmin;
      await client.get(of).expect(200);
      expect((await client.get(`${of}/teams`).expect(403)).body).toMatchObject({
        reason: 'SECOND_FACTOR_REQUIRED',
      });
      await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${id}`;
      await client.get(`${of}/teams`).expect(200);
      await service.sql`UPDATE users SET second_factor = 'disabled', totp_secret = NULL WHERE id = ${id}`;
      await client.get(`${of}/teams`).expect(403);
    });

    it('gives nothing while the giver is suspended, and nothing once it has ended', async () => {
      const { client } = agency.custadmin;
      await suspend(await asAdmin(service), giver.organisationId);
      await client.get(of).expect(403);
      await service.sql`DELETE FROM suspensions`;
      await client.get(of).expect(200);
      await service.sql`UPDATE acls SET expires_at = now() - interval '1 second' WHERE id = ${grantId}`;
      await client.get(of).expect(403);
      await giver.custadmin.client.get(`${of}/grants/${grantId}`).expect(404);
      await giver.custadmin.client
        .post(`${of}/grants`, { organisation: agency.organisationId, access: 'manage' })
        .expect(201);
      await client.get(of).expect(200);
    });

    it('is changed by managers of the giver, ended by either, and written by no key', async () => {
      const { client } = agency.custadmin;
      await client.put(received(), { access: 'read' }).expect(403);
      await giver.custadmin.client.put(`${of}/grants/${grantId}`, { expires: '1' }).expect(400);
      await giver.plain.client.get(`${of}/grants`).expect(500);
      const key = await makeApiKey(service, giver.custadmin.id);
      const serviceKey = await makeServiceKey(service, giver.organisationId, { operations: ['grants.*'] });
      for (const program of [key.client, serviceKey.client]) {
        await program.get(`${of}/grants/${grantId}`).expect(200);
        await program.post(`${of}/grants`, { organisation: agency.organisationId }).expect(403);
        await program.put(`${of}/grants/${grantId}`, { access: 'read' }).expect(403);
        await program.delete(`${of}/grants/${grantId}`).expect(403);
      }
      const ofAgency = await makeServiceKey(service, agency.organisationId, { operations: ['teams.*'] });
      await ofAgency.client.get(`${of}/teams`).expect(403);
      await client.delete(received()).expect(204);
      await client.get(of).expect(403);
    });

    it('shows the teams to the agency alone, and names only in reach', async () => {
      await addTeam();
      const ofGiver = await giver.custadmin.client.get(`${of}/grants/${grantId}`).expect(200);
      expect((ofGiver.body as { grant: object }).grant).toEqual({
        id: grantId,
        organisation: { id: giver.organisationId, name: expect.stringMatching(/./) as string },
        grantee: { id: agency.organisationId, name: '' },
        ...{
          access: 'manage',
          onlyTeams: true,
          dtCreated: expect.stringMatching(/^\d+$/) as string,
          dtExpires: '',
        },
      });
      const { body } = await agency.custadmin.client.get(received()).expect(200);
      expect((body as { grant: object }).grant).toMatchObject({ teams: [{ id: teamId }] });
      const foreign = await makeTeam(service, giver.organisationId, {});
      await agency.custadmin.client.put(`${received()}/teams/${foreign}`).expect(404);
    });

    it('says in the audit log who did what by which grant, and in events whom it is for', async () => {
      await agency.custadmin.client.post(`${of}/teams`, { name: 'By the agency' }).expect(201);
      const { body } = await giver.custadmin.client.get(`${of}/audit?kind=teams`).expect(200);
      expect((body as { audit: { actor: object }[] }).audit[0]?.actor).toEqual({
        ...{ type: 'user', userId: agency.custadmin.id, username: agency.custadmin.username },
        ...{ credential: '', ip: '', organisationId: agency.organisationId, grantId },
      });
      await giver.custadmin.client.put(`${of}/grants/${grantId}`, { access: 'read' }).expect(204);
      const [event] = await service.sql<{ type: string; recordId: number }>`
      SELECT 1 AS type, (SELECT grantee_id FROM acls WHERE id = ${grantId}) AS "recordId"`;
      expect(event?.recordId).toBe(agency.organisationId);
      const feed = await giver.custadmin.client.get(`${of}/events?limit=1000`).expect(200);
      expect((feed.body as { events: object[] }).events).toContainEqual(
        expect.objectContaining({
          type: 'acls.updated',
          data: expect.objectContaining({ recordId: agency.organisationId }) as object,
        }),
      );
    });

    it('is mailed about to both sides: begin, change, 7 days before, end', async () => {
      /** The news since the last call, each for the giver and the agency. */
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
        [giver.organisationId, `given_${news}`],
        [agency.organisationId, `received_${news}`],
      ];
      const change = (body: object) =>
        giver.custadmin.client.put(`${of}/grants/${grantId}`, body).expect(204);
      const sweep = () => service.sql`SELECT graphile_worker.add_job('grants.end', '{}')`;
      expect(await told()).toEqual(both('begun'));
      await change({ expires: String(Math.floor(Date.now() / 1000) + 30 * 86_400) });
      expect(await told()).toEqual(both('changed'));
      await change({});
      await sweep();
      expect(await told()).toEqual([]);
      await service.sql`ALTER TABLE acls DISABLE TRIGGER acls_tell`;
      await service.sql`UPDATE acls SET expires_at = now() + interval '6 days' WHERE id = ${grantId}`;
      await service.sql`ALTER TABLE acls ENABLE TRIGGER acls_tell`;
      await sweep();
      expect(await told()).toEqual(both('ends_in_7_days'));
      await sweep();
      expect(await told()).toEqual([]);
      await change({ access: 'read' });
      expect(await told()).toEqual(both('ended'));
      await change({ access: 'manage' });
      expect(await told()).toEqual(both('begun'));
      await service.sql`ALTER TABLE acls DISABLE TRIGGER acls_tell`;
      await service.sql`UPDATE acls SET expires_at = now() WHERE id = ${grantId}`;
      await service.sql`ALTER TABLE acls ENABLE TRIGGER acls_tell`;
      await sweep();
      await runJobs(service);
      expect(await told()).toEqual(both('ended'));
      expect(await service.sql`SELECT FROM acls WHERE id = ${grantId}`).toEqual([]);
    });

    it('is limited: 200 given, 1,000 received', async () => {
      await service.sql`
      WITH other AS (INSERT INTO organisations (name, tax_number, parent_id)
        SELECT 'Other ' || n, '', 1 FROM generate_series(1, 199) n RETURNING id)
      INSERT INTO acls (organisation_id, grantee_id) SELECT ${giver.organisationId}, id FROM other`;
      const one = await makeOrganisation(service);
      const { client } = giver.custadmin;
      const limit = await client.post(`${of}/grants`, { organisation: one }).expect(400);
      expect(limit.body).toMatchObject({ reason: 'LIMIT_REACHED' });
      const taken = await client.post(`${of}/grants`, { organisation: agency.organisationId }).expect(400);
      expect(taken.body).toMatchObject({ reasons: { organisation: ['ALREADY_TAKEN'] } });
    });

    it('gives way to admins and managers above as before', async () => {
      const admin = await asAdmin(service);
      await admin.put(`${of}/grants/${grantId}`, { access: 'read' }).expect(204);
      const other = await makeGrant(service, agency.organisationId, giver.organisationId);
      await admin.delete(`/organisations/${giver.organisationId}/grants/${other}`).expect(204);
    });

    describe('and who is named to whom about it', () => {
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
            ...{
              type: 'operator',
              userId: null,
              username: '',
              credential: '',
              ip: '',
              reason: 'Ticket 4711',
            },
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
  });
});
