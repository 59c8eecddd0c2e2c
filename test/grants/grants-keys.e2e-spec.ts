import { type MadeUser, makeCustomer, nextNumber } from '../support/factories/factories';
import { inviteBy, registerInvited, type SentInvitation } from '../support/factories/invitations-factories';
import { makeApiKey, makeServiceKey } from '../support/factories/key-factories';
import { makeContact, makeTeam } from '../support/factories/records';
import { useMailServer } from '../support/faults/smtp';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { type ApiClient, asAdmin } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

const KEYS = [
  'API key',
  'API key above',
  'admin’s key',
  'service key',
  'service key above',
  'operator’s key',
] as const;

const REFUSED = { code: 403, reason: 'API_KEY_REFUSED' };
const OPERATIONS = ['grants.create', 'grants.update', 'grants.delete'];

const inDays = (days: number) => String(Math.floor(Date.now() / 1000) + days * 86_400);

describe.each(SHARED_VARIANTS)('POST, PUT and DELETE …/grants by keys in Variant %s: grants', (variant) => {
  const mailServer = useMailServer();
  const service = useService(variant, () => ({ settings: { smtpUrl: mailServer.url } }));

  let grantor: Customer;
  let agency: Customer;
  let path: string;
  let clients: Readonly<Record<(typeof KEYS)[number], ApiClient>>;
  let alarm: string;

  beforeEach(async () => {
    const above = await makeCustomer(service);
    grantor = await makeCustomer(service, { resellerId: above.organisationId });
    agency = await makeCustomer(service);
    path = `/organisations/${grantor.organisationId}/grants`;
    const [admin] = await service.sql<{ id: number }>`SELECT id FROM users WHERE 'ROLE_ADMIN' = ANY (roles)`;
    const operations = OPERATIONS;
    clients = {
      'API key': (await makeApiKey(service, grantor.custadmin.id)).client,
      'API key above': (await makeApiKey(service, above.custadmin.id)).client,
      'admin’s key': (await makeApiKey(service, admin?.id as number)).client,
      'service key': (await makeServiceKey(service, grantor.organisationId, { operations })).client,
      'service key above': (
        await makeServiceKey(service, above.organisationId, { operations, beneath: true })
      ).client,
      'operator’s key': (await makeServiceKey(service, 1, { operations, asAdmin: true })).client,
    };
    alarm = `alarm@grantor${grantor.organisationId}.example`;
    await makeContact(service, { organisationId: grantor.organisationId, name: alarm, groups: ['System'] });
    await makeContact(service, {
      organisationId: agency.organisationId,
      name: `alarm@agency${agency.organisationId}.example`,
      groups: ['System'],
    });
    await runJobs(service);
    mailServer.mails.length = 0;
  });

  const give = async (client: ApiClient, more: object = {}): Promise<number> => {
    const { body } = await client.post(path, { organisation: agency.organisationId, ...more }).expect(201);
    return (body as { grant: { id: number } }).grant.id;
  };
  const shown = async (id: number) =>
    (await grantor.custadmin.client.get(`${path}/${id}`).expect(200)).body as object;
  /** The subjects of the mails since the last call, by their recipients. */
  const mailed = async (): Promise<string[]> => {
    await runJobs(service);
    return mailServer.mails.splice(0).map(({ to, headers }) => `${to.join()} ${headers.get('subject')}`);
  };
  const BEGUN = 'Een andere organisatie kan uw gegevens lezen';

  it.each(KEYS)('are given, changed and ended to read with: %s', async (name) => {
    const client = clients[name];
    const id = await give(client, { access: 'read', expires: inDays(30) });
    expect(await mailed()).toEqual([`${alarm} ${BEGUN}`]);
    await agency.plain.client.get(`/organisations/${grantor.organisationId}`).expect(200);
    await client.put(`${path}/${id}`, { expires: inDays(60) }).expect(204);
    await client.put(`${path}/${id}`, { access: 'read', expires: '' }).expect(204);
    await client.put(`${path}/${id}`, { expires: inDays(10) }).expect(204);
    await client.delete(`${path}/${id}`).expect(204);
    expect(await mailed()).toEqual([]);
    await agency.plain.client.get(`/organisations/${grantor.organisationId}`).expect(403);
  });

  it.each(KEYS)('that manage are for people, not for: %s', async (name) => {
    const client = clients[name];
    const organisation = agency.organisationId;
    const refused = await client.post(path, { organisation, access: 'manage' }).expect(403);
    expect(refused.body).toMatchObject(REFUSED);
    const id = await give(client);
    const at = `${path}/${id}`;
    expect((await client.put(at, { access: 'manage' }).expect(403)).body).toMatchObject(REFUSED);
    await grantor.custadmin.client.put(at, { access: 'manage', expires: inDays(30) }).expect(204);
    for (const more of [{ expires: inDays(31) }, { expires: '' }, { access: 'manage', expires: inDays(60) }])
      expect((await client.put(at, more).expect(403)).body).toMatchObject(REFUSED);
    expect(await shown(id)).toMatchObject({ grant: { access: 'manage' } });
    await mailed();
    // What becomes narrower is theirs.
    await client.put(at, { access: 'manage', expires: inDays(20) }).expect(204);
    await client.put(at, { access: 'read', expires: inDays(90) }).expect(204);
    expect(await shown(id)).toMatchObject({ grant: { access: 'read' } });
    const told = (await mailed()).filter((mail) => mail.startsWith(alarm));
    expect(told).toEqual([`${alarm} Beheer door een andere organisatie beëindigd`]);
    await grantor.custadmin.client.put(at, { access: 'manage' }).expect(204);
    await client.delete(at).expect(204);
    await grantor.custadmin.client.get(at).expect(404);
  });

  it('to read are mailed to nobody where people give and prolong them', async () => {
    const id = await give(grantor.custadmin.client, { expires: inDays(30) });
    await grantor.custadmin.client.put(`${path}/${id}`, { expires: '' }).expect(204);
    expect(await mailed()).toEqual([]);
  });

  it('are ended, not changed, by keys of the grantee, whose teams are named by people', async () => {
    const id = await give(grantor.custadmin.client, { access: 'manage' });
    const { client } = await makeApiKey(service, agency.custadmin.id);
    const received = `/organisations/${agency.organisationId}/grants/${id}`;
    await client.put(`${path}/${id}`, { access: 'read' }).expect(403);
    await client.put(received, { access: 'read' }).expect(403);
    const team = await agency.custadmin.client
      .post(`/organisations/${agency.organisationId}/teams`, { name: 'Web' })
      .expect(201);
    const teamId = (team.body as { team: { id: number } }).team.id;
    expect((await client.put(`${received}/teams/${teamId}`).expect(403)).body).toMatchObject(REFUSED);
    const serviceKey = await makeServiceKey(service, agency.organisationId, {
      operations: ['grants.delete'],
    });
    await serviceKey.client.put(`${received}/teams/${teamId}`).expect(403);
    await serviceKey.client.delete(received).expect(204);
  });

  it('need a key that may: of a manager, that writes, and that names the operation', async () => {
    const body = { organisation: agency.organisationId };
    await (await makeApiKey(service, grantor.plain.id)).client.post(path, body).expect(500);
    const reading = await makeApiKey(service, grantor.custadmin.id, { readOnly: true });
    expect((await reading.client.post(path, body).expect(403)).body).toMatchObject({
      reason: 'API_KEY_READ_ONLY',
    });
    const named = async (operations: string[]) =>
      (await makeServiceKey(service, grantor.organisationId, { operations })).client;
    const other = await named(['grants.list', 'grants.read', 'grants.delete']);
    expect((await other.post(path, body).expect(403)).body).toMatchObject({
      reason: 'OPERATION_NOT_GRANTED',
    });
    const id = await give(clients['service key']);
    await other.put(`${path}/${id}`, { expires: '' }).expect(403);
    await other.delete(`${path}/${id}`).expect(204);
    const stranger = await makeCustomer(service);
    await (await makeApiKey(service, stranger.custadmin.id)).client.post(path, body).expect(403);
  });

  it('are operations that a service key of a manager can be made with, but for teams', async () => {
    const keys = `/organisations/${grantor.organisationId}/servicekeys`;
    await grantor.custadmin.client.post(keys, { name: 'Grants', operations: OPERATIONS }).expect(201);
    const admin = await asAdmin(service);
    for (const operations of [['grants.updateTeams'], ['grants.*']]) {
      const refused = await admin.post(keys, { name: 'Teams', operations }).expect(400);
      expect(refused.body).toMatchObject({ reasons: { operations: ['OPERATION_NOT_ALLOWED'] } });
    }
  });

  describe('and who uses them:', () => {
    let teamId: number;
    let teams: string;
    let keys: ApiClient[];
    beforeEach(async () => {
      const id = await give(grantor.custadmin.client, { access: 'manage' });
      const of = `/organisations/${agency.organisationId}`;
      teamId = await makeTeam(service, agency.organisationId);
      await agency.custadmin.client.put(`${of}/grants/${id}/teams/${teamId}`).expect(204);
      teams = `${of}/teams`;
      const operations = [
        'teams.updateMembers',
        'invitations.create',
        'invitations.update',
        'invitations.resend',
      ];
      keys = [
        (await makeApiKey(service, agency.custadmin.id)).client,
        (await makeServiceKey(service, agency.organisationId, { operations })).client,
      ];
    });

    const readsTeams = (user: MadeUser, status: number) =>
      user.client.get(`/organisations/${grantor.organisationId}/teams`).expect(status);

    it('keys add nobody to a team of a grant, and take people out', async () => {
      const { plain, custadmin } = agency;
      const member = `${teams}/${teamId}/users/${plain.id}`;
      for (const key of keys) {
        expect((await key.put(member).expect(403)).body).toMatchObject(REFUSED);
        await readsTeams(plain, 403);
        await custadmin.client.put(member).expect(204);
        await readsTeams(plain, 200);
        await key.delete(member).expect(204);
        await readsTeams(plain, 403);
        const other = await makeTeam(service, agency.organisationId);
        await key.put(`${teams}/${other}/users/${plain.id}`).expect(204);
      }
    });

    const invitations = () => `/organisations/${agency.organisationId}/invitations`;
    const invited = () => ({
      email: `new${nextNumber()}@agency.example`,
      firstName: 'Eva',
      lastName: 'Maes',
    });
    const invite = (by: ApiClient) => inviteBy(by, agency.organisationId);

    it('keys invite nobody into one, and change and send again no invitation into one', async () => {
      // Variant B sets no teams, but changes what Variant A has stored.
      const { id } = await invite(agency.custadmin.client);
      await service.sql`UPDATE invitations SET auto_teams = ARRAY[${teamId}::integer] WHERE id = ${id}`;
      for (const key of keys)
        for (const call of [
          key.put(`${invitations()}/${id}`, invited()),
          key.post(`${invitations()}/${id}/resend`),
          ...(variant === 'A' ? [key.post(invitations(), { ...invited(), autoTeams: String(teamId) })] : []),
        ])
          expect((await call.expect(403)).body).toMatchObject(REFUSED);
      await agency.custadmin.client.post(`${invitations()}/${id}/resend`).expect(200);
    });

    it('who was invited by a key joins no team that uses a grant by then', async () => {
      const made: SentInvitation[] = [];
      for (const by of [agency.custadmin.client, ...keys]) made.push(await invite(by));
      const ids = made.map(({ id }) => id);
      await service.sql`UPDATE invitations SET auto_teams = ARRAY[${teamId}::integer] WHERE id = ANY (${ids})`;
      const [byPerson, ...byKeys] = made as [SentInvitation, ...SentInvitation[]];
      await readsTeams(await registerInvited(service, byPerson), 200);
      for (const invitation of byKeys) await readsTeams(await registerInvited(service, invitation), 403);
      // Whoever sends it again answers for it.
      const again = await invite(keys[0] as ApiClient);
      await service.sql`UPDATE invitations SET auto_teams = ARRAY[${teamId}::integer] WHERE id = ${again.id}`;
      await agency.custadmin.client.post(`${invitations()}/${again.id}/resend`).expect(200);
      await readsTeams(await registerInvited(service, again), 200);
    });
  });
});
