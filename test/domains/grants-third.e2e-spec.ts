import { VARIANTS } from '../../qa/variants';
import { type MadeUser, makeCustomer, makeGrant } from '../support/factories/factories';
import { makeContact, makeTeam, register } from '../support/factories/records';
import { runJobs } from '../support/service/jobs';
import { describeSharedService } from '../support/service/shared-services';

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

const UNCOVERED = { code: 403, reason: 'GRANT_DOES_NOT_COVER' };

describeSharedService(VARIANTS, 'who manages by a grant in Variant %s', (service, variant) => {
  let giver: Customer;
  let agency: Customer;
  let of: string;
  let grantId: number;
  beforeEach(async () => {
    giver = await makeCustomer(service);
    agency = await makeCustomer(service);
    of = `/organisations/${giver.organisationId}`;
    const { body } = await giver.custadmin.client
      .post(`${of}/grants`, { organisation: agency.organisationId, access: 'manage' })
      .expect(201);
    grantId = (body as { grant: { id: number } }).grant.id;
  });

  it('never sends anybody to a third organisation, by a team of the giver that uses its grant', async () => {
    const third = await makeCustomer(service);
    const { body } = await third.custadmin.client
      .post(`/organisations/${third.organisationId}/grants`, {
        organisation: giver.organisationId,
        access: 'manage',
      })
      .expect(201);
    const using = await makeTeam(service, giver.organisationId, {});
    const other = await makeTeam(service, giver.organisationId, {});
    const received = `${of}/grants/${(body as { grant: { id: number } }).grant.id}/teams`;
    await giver.custadmin.client.put(`${received}/${using}`).expect(204);
    const { client } = agency.custadmin;
    const invited = { email: `own${using}@agency.example`, firstName: 'Jan', lastName: 'Peeters' };
    const invite = async (by: MadeUser, email: string) => {
      const answer = await by.client.post(`${of}/invitations`, { ...invited, email }).expect(201);
      return (answer.body as { invitation: { id: number } }).invitation.id;
    };
    const ofGiver = await invite(giver.custadmin, `own${using}@giver.example`);
    // Variant B sets no teams, but changes what Variant A has stored.
    await service.sql`UPDATE invitations SET auto_teams = ARRAY[${using}::integer] WHERE id = ${ofGiver}`;
    const withTeam = { ...invited, autoTeams: String(using) };
    const ofAgency = await invite(agency.custadmin, invited.email);
    for (const call of [
      client.put(`${of}/teams/${using}/users/${giver.plain.id}`),
      client.put(`${of}/invitations/${ofGiver}`, { ...invited, email: `new${using}@agency.example` }),
      client.post(`${of}/invitations/${ofGiver}/resend`),
      client.put(`${received}/${other}`),
      client.put(`${of}/teams/${using}`, { name: 'Ours', autoAddSshkey: true }),
      client.delete(`${of}/teams/${using}`),
      ...(variant === 'A'
        ? [
            client.post(`${of}/invitations`, { ...withTeam, email: `new${using}@agency.example` }),
            client.put(`${of}/invitations/${ofAgency}`, withTeam),
            client.put(`${of}/invitations/${ofGiver}`, { ...invited, autoTeams: '' }),
          ]
        : []),
    ])
      expect((await call.expect(403)).body).toMatchObject(UNCOVERED);
    await giver.plain.client.get(`/organisations/${third.organisationId}`).expect(403);
    // Nor by one that holds its records.
    const systemId = 700_000 + using;
    await service.sql`INSERT INTO entities (kind, object_id, organisation_id, name)
      SELECT 'system', id, organisation, 'web1' FROM (VALUES (${systemId}::integer, ${third.organisationId}::integer),
        (${systemId + 1}::integer, ${giver.organisationId}::integer)) made (id, organisation)`;
    const holding = `${of}/teams/${using}`;
    await client.post(`${holding}/systems`, { objectId: systemId }).expect(400);
    await client.post(`${holding}/systems`, { objectId: systemId + 1 }).expect(201);
    await giver.custadmin.client.post(`${holding}/systems`, { objectId: systemId }).expect(201);
    await giver.custadmin.client.delete(`${received}/${using}`).expect(204);
    const held = await client.put(`${holding}/users/${giver.plain.id}`).expect(403);
    expect(held.body).toMatchObject(UNCOVERED);
    for (const call of [
      client.put(holding, { name: 'Ours', autoAddSshkey: true }),
      client.delete(holding),
      client.delete(`${holding}/systems/${systemId}`),
    ])
      expect((await call.expect(403)).body).toMatchObject(UNCOVERED);
    await client.delete(`${holding}/systems/${systemId + 2}`).expect(404);
    await client.delete(`${holding}/systems/${systemId + 1}`).expect(204);
    await client.put(`${of}/teams/${other}`, { name: `Of the giver ${other}` }).expect(204);
    await giver.custadmin.client.put(holding, { name: `Own ${using}`, autoAddSshkey: true }).expect(204);
    await giver.custadmin.client.put(`${received}/${using}`).expect(204);
    // Its own manager does, and the agency takes people out: that gives nobody anything.
    await client.put(`${of}/teams/${other}/users/${giver.plain.id}`).expect(204);
    await giver.custadmin.client.put(`${of}/teams/${using}/users/${giver.plain.id}`).expect(204);
    await giver.plain.client.get(`/organisations/${third.organisationId}/teams`).expect(200);
    await client.delete(`${of}/teams/${using}/users/${giver.plain.id}`).expect(204);
    await giver.custadmin.client.delete(`${holding}/systems/${systemId}`).expect(204);
    await client.delete(`${of}/teams/${other}`).expect(204);
  });

  it('reads no names of records of third organisations in the teams of the giver', async () => {
    const third = await makeCustomer(service);
    await makeGrant(service, third.organisationId, giver.organisationId);
    await makeGrant(service, agency.organisationId, giver.organisationId);
    const base = 800_000 + 10 * grantId;
    const own = base;
    const ofThird = base + 1;
    const ofAgency = base + 2;
    const domaintype = { id: 4, name: 'nl', extension: 'nl' };
    const mailgroup = (id: number, organisationId: number, name: string) => ({
      kind: 'mailgroup' as const,
      id,
      organisationId,
      name,
      domains: [{ id, name: `${name}-domain`, mailPrimary: true, domaintype }],
    });
    await register(
      service,
      mailgroup(own, giver.organisationId, 'own-mail'),
      mailgroup(ofThird, third.organisationId, 'third-mail'),
      mailgroup(ofAgency, agency.organisationId, 'agency-mail'),
      { kind: 'system', id: ofThird, organisationId: third.organisationId, name: 'third-system' },
      { kind: 'app', id: ofThird, organisationId: third.organisationId, name: 'third-app' },
      { kind: 'domain', id: ofThird, organisationId: third.organisationId, name: 'third-domain.nl' },
    );
    const teamId = await makeTeam(service, giver.organisationId, { name: `Of ${base}` });
    for (const [kind, objectId] of [
      ['mailgroups', own],
      ['mailgroups', ofThird],
      ['mailgroups', ofAgency],
      ['systems', ofThird],
      ['apps', ofThird],
      ['domains', ofThird],
    ] as const)
      await giver.custadmin.client.post(`${of}/teams/${teamId}/${kind}`, { objectId }).expect(201);
    const reads = async (user: MadeUser): Promise<string[]> => {
      const paths = [`${of}/teams/${teamId}`, `${of}/teams?filter=${base}`, `${of}/teams?limit=0`];
      const answers = await Promise.all([
        ...paths.map((path) => user.client.get(path).expect(200)),
        user.client.get(`${of}/teams`).set('Accept', 'text/csv').expect(200),
        user.client.get(`${of}/entities`).expect(200),
      ]);
      return answers.map(({ text }) => text);
    };
    const overview = 4;
    for (const [index, text] of (await reads(agency.custadmin)).entries()) {
      expect(text).not.toMatch(/third-/);
      expect(text).toContain('own-mail');
      if (index !== overview) expect(text).toContain('agency-mail');
    }
    for (const text of await reads(giver.custadmin))
      for (const name of ['own-mail-domain', 'third-mail', 'third-system', 'third-app', 'third-domain.nl'])
        expect(text).toContain(name);
    const { body } = await agency.custadmin.client.get(`${of}/teams/${teamId}`).expect(200);
    const { teamEntities, entities } = (body as { team: { teamEntities: object; entities: object[] } }).team;
    expect(teamEntities).toMatchObject({
      apps: [{ id: ofThird, name: '' }],
      domains: [{ id: ofThird, fullname: '' }],
      systems: [{ id: ofThird, name: '' }],
    });
    expect((teamEntities as { mailgroups: object[] }).mailgroups).toContainEqual({
      id: ofThird,
      name: '',
      domains: [],
    });
    expect(entities).toHaveLength(6);
  });

  it('never reads security news or addresses of CUSTADMINs among the notifications', async () => {
    const [boss, plain] = ['boss', 'plain'].map((name) => `${name}${grantId}@giver.example`) as [
      string,
      string,
    ];
    for (const [userId, name] of [
      [giver.custadmin.id, boss],
      [giver.plain.id, plain],
    ] as const)
      await makeContact(service, { organisationId: giver.organisationId, userId, name, groups: ['Crm'] });
    const { client } = agency.custadmin;
    const posted = await client.post(`${of}/notifications`, { type: 'note', group: 'Crm' }).expect(201);
    expect(posted.text).not.toContain(boss);
    await client.post(`${of}/notifications`, { type: 'note', group: 'System' }).expect(201);
    await runJobs(service);
    const listed = async (by: MadeUser) => {
      const answer = await by.client.get(`${of}/notifications?limit=0`).expect(200);
      const { notifications } = answer.body as {
        notifications: { type: string; notificationGroup: string }[];
      };
      const types = notifications.map(({ type, notificationGroup }) => `${notificationGroup} ${type}`);
      return { types: types.sort(), text: answer.text };
    };
    const own = await listed(giver.custadmin);
    expect(own.types).toEqual(['Crm note', 'System given_begun', 'System note']);
    for (const address of [boss, plain]) expect(own.text).toContain(address);
    const seen = await listed(agency.custadmin);
    expect(seen.types).toEqual(['Crm note', 'System note']);
    expect(seen.text).toContain(plain);
    expect(seen.text).not.toContain(boss);
  });
});
