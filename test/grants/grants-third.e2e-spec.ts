import { type MadeUser, makeCustomer, makeGrant } from '../support/factories/factories';
import { makeContact, makeTeam, register } from '../support/factories/records';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { runJobs } from '../support/service/jobs';
import { describeSharedService } from '../support/service/shared-services';

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

const UNCOVERED = { code: 403, reason: 'GRANT_DOES_NOT_COVER' };

describeSharedService(SHARED_VARIANTS, 'who manages by a grant in Variant %s', (service) => {
  let grantor: Customer;
  let agency: Customer;
  let of: string;
  let grantId: number;
  beforeEach(async () => {
    grantor = await makeCustomer(service);
    agency = await makeCustomer(service);
    of = `/organisations/${grantor.organisationId}`;
    const { body } = await grantor.custadmin.client
      .post(`${of}/grants`, { organisation: agency.organisationId, access: 'manage' })
      .expect(201);
    grantId = (body as { grant: { id: number } }).grant.id;
  });

  it('puts records of the grantor into its teams and takes them out, and no others', async () => {
    const third = await makeCustomer(service);
    await makeGrant(service, third.organisationId, grantor.organisationId);
    const systems = `${of}/teams/${await makeTeam(service, grantor.organisationId)}/systems`;
    const ofGrantor = 700_000 + 10 * grantId;
    const ofThird = ofGrantor + 1;
    const ofAgency = ofGrantor + 2;
    for (const [id, { organisationId }] of [
      [ofGrantor, grantor],
      [ofThird, third],
      [ofAgency, agency],
    ] as const)
      await register(service, { kind: 'system', id, name: 'web1', organisationId });
    const { client } = agency.custadmin;
    for (const objectId of [ofThird, ofAgency]) await client.post(systems, { objectId }).expect(400);
    await client.post(systems, { objectId: ofGrantor }).expect(201);
    await grantor.custadmin.client.post(systems, { objectId: ofThird }).expect(201);
    expect((await client.delete(`${systems}/${ofThird}`).expect(403)).body).toMatchObject(UNCOVERED);
    await client.delete(`${systems}/${ofGrantor}`).expect(204);
    await grantor.custadmin.client.delete(`${systems}/${ofThird}`).expect(204);
  });

  it('reads no names of records of third organisations in the teams of the grantor', async () => {
    const third = await makeCustomer(service);
    await makeGrant(service, third.organisationId, grantor.organisationId);
    await makeGrant(service, agency.organisationId, grantor.organisationId);
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
      mailgroup(own, grantor.organisationId, 'own-mail'),
      mailgroup(ofThird, third.organisationId, 'third-mail'),
      mailgroup(ofAgency, agency.organisationId, 'agency-mail'),
      { kind: 'system', id: ofThird, organisationId: third.organisationId, name: 'third-system' },
      { kind: 'app', id: ofThird, organisationId: third.organisationId, name: 'third-app' },
      { kind: 'domain', id: ofThird, organisationId: third.organisationId, name: 'third-domain.nl' },
    );
    const teamId = await makeTeam(service, grantor.organisationId, { name: `Of ${base}` });
    for (const [kind, objectId] of [
      ['mailgroups', own],
      ['mailgroups', ofThird],
      ['mailgroups', ofAgency],
      ['systems', ofThird],
      ['apps', ofThird],
      ['domains', ofThird],
    ] as const)
      await grantor.custadmin.client.post(`${of}/teams/${teamId}/${kind}`, { objectId }).expect(201);
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
    for (const text of await reads(grantor.custadmin))
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

  it('reads every notification, and nobody whom it went to', async () => {
    const boss = `boss${grantId}@grantor.example`;
    await makeContact(service, {
      organisationId: grantor.organisationId,
      name: boss,
      groups: ['Crm', 'System'],
    });
    await grantor.custadmin.client.post(`${of}/notifications`, { type: 'note', group: 'Crm' }).expect(201);
    await runJobs(service);
    const listed = async (by: MadeUser) => {
      const answer = await by.client.get(`${of}/notifications?limit=0`).expect(200);
      const { notifications } = answer.body as {
        notifications: { type: string; recipients: object[] }[];
      };
      return { types: notifications.map(({ type }) => type), text: answer.text };
    };
    const own = await listed(grantor.custadmin);
    expect(own.text).toContain(boss);
    const seen = await listed(agency.custadmin);
    expect(seen.types).toEqual(own.types);
    expect(seen.types).toContain('given_begun');
    expect(seen.text).not.toContain(boss);
  });
});
