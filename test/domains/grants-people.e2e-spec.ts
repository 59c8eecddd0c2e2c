import { VARIANTS } from '../../qa/variants';
import { type MadeUser, makeCustomer, makeGrant, makeUser, nextNumber } from '../support/factories/factories';
import {
  inviteBy,
  makeManaged,
  type Managed,
  register,
  tokenTo,
} from '../support/factories/grant-people-factories';
import { makeApiKey, makeServiceKey, newPublicKey } from '../support/factories/key-factories';
import { makeNotification, makeTeam, register as enter } from '../support/factories/records';
import { makeSupportLogin } from '../support/factories/support-factories';
import { type ApiClient, asAdmin } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { type TestService } from '../support/service/service';
import { describeSharedService } from '../support/service/shared-services';

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

const UNCOVERED = { code: 403, reason: 'GRANT_DOES_NOT_COVER' };

/** A third organisation whose system a team of the giver holds, by grants to read and to manage. */
async function makeThird(service: TestService, { giver }: Managed) {
  const reading = await makeCustomer(service);
  const managing = await makeCustomer(service);
  await makeGrant(service, reading.organisationId, giver.organisationId);
  const grantId = await makeGrant(service, managing.organisationId, giver.organisationId, {
    access: 'manage',
  });
  const teamId = await makeTeam(service, giver.organisationId);
  await service.sql`UPDATE teams SET auto_add_sshkey = true WHERE id = ${teamId}`;
  await service.sql`INSERT INTO acl_teams (acl_id, team_id) VALUES (${grantId}, ${teamId})`;
  const systemId = 600_000 + nextNumber();
  const { organisationId } = managing;
  await enter(service, {
    kind: 'system',
    id: systemId,
    name: `web${systemId}`,
    organisationId,
    domains: undefined,
  });
  await service.sql`INSERT INTO team_entities (team_id, kind, object_id) VALUES (${teamId}, 'systems', ${systemId})`;
  return { reading, managing, teamId, systemId };
}

describeSharedService(VARIANTS, 'people whom a grantee chose in Variant %s', (service) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let managed: Managed;
  let third: Awaited<ReturnType<typeof makeThird>>;
  let chosen: MadeUser;
  beforeEach(async () => {
    managed = await makeManaged(service);
    third = await makeThird(service, managed);
    chosen = await register(service, await inviteBy(managed.agency.custadmin, managed.giver.organisationId));
    // However it got there: a manager of the giver who adds it has chosen it.
    await service.sql`INSERT INTO team_members (team_id, user_id) VALUES (${third.teamId}, ${chosen.id})`;
    await admin.post(`${managed.of}/users/${chosen.id}/sshkeys`, { content: newPublicKey() }).expect(201);
    await service.sql`UPDATE users SET roles = '{ROLE_SYSTEM}' WHERE id = ${chosen.id}`;
  });

  /** What the user gets of the third organisations: the ways that say yes. */
  async function waysOf({ id, client }: MadeUser): Promise<string[]> {
    const { reading, managing, systemId } = third;
    const answers = async (path: string, by: ApiClient = client) => (await by.get(path)).status < 300;
    const text = async (path: string, by: ApiClient = client) => (await by.get(path).expect(200)).text;
    const listed = JSON.parse(await text('/organisations?limit=0')) as { organisations: { id: number }[] };
    const accessList = await text(`/organisations/${managing.organisationId}/access?limit=0`, admin);
    const ways: readonly (readonly [string, boolean])[] = [
      ['reads', await answers(`/organisations/${reading.organisationId}`)],
      ['reads users', await answers(`/organisations/${reading.organisationId}/users`)],
      ['manages', await answers(`/organisations/${managing.organisationId}/teams`)],
      ['lists', listed.organisations.some(({ id: one }) => one === reading.organisationId)],
      ['lists managed', listed.organisations.some(({ id: one }) => one === managing.organisationId)],
      ['forward-auth', await answers(`/access/forward?organisation=${managing.organisationId}`)],
      ['entities', (await text(`${managed.of}/entities`)).includes(`"id":${systemId}`)],
      ['names', (await text(`${managed.of}/teams?limit=0`)).includes(`web${systemId}`)],
      ['keys', (await text(`/entities/systems/${systemId}/authorizedkeys`, admin)).includes(`user:${id}`)],
      ['access list', accessList.includes(`"id":${id}`)],
    ];
    return ways.filter(([, is]) => is).map(([way]) => way);
  }

  /** The user comes nowhere near the third organisation. */
  const isKept = async (is: boolean): Promise<void> => {
    if (is) expect(await waysOf(chosen)).toEqual([]);
    else expect(await waysOf(chosen)).toHaveLength(10);
  };

  const body = () => ({
    username: chosen.username,
    firstName: 'Eva',
    lastName: 'Maes',
    language: 'nl',
  });
  const patch = (client: ApiClient, more: object = {}) =>
    client.patch(`${managed.of}/users/${chosen.id}`, { ...body(), ...more });

  it('come to no third organisation until their own people have chosen them too', async () => {
    await isKept(true);
    await managed.giver.custadmin.client
      .put(`${managed.of}/teams/${third.teamId}/users/${chosen.id}`)
      .expect(204);
    await isKept(false);
    // An end of the grant takes nothing back that they chose.
    await managed.giver.custadmin.client.delete(`${managed.of}/grants/${managed.grantId}`).expect(204);
    await isKept(false);
  });

  it('stay so when the grant ends', async () => {
    await managed.giver.custadmin.client.delete(`${managed.of}/grants/${managed.grantId}`).expect(204);
    await isKept(true);
  });

  it('are held apart from those whom the giver invited, who reach it at once', async () => {
    const { giver } = managed;
    const own = await register(service, await inviteBy(giver.custadmin, giver.organisationId));
    await own.client.get(`/organisations/${third.reading.organisationId}`).expect(200);
  });

  describe('are confirmed', () => {
    let above: Customer;
    let team: string;
    beforeEach(async () => {
      const { giver, of } = managed;
      above = await makeCustomer(service);
      await service.sql`UPDATE organisations SET parent_id = ${above.organisationId} WHERE id = ${giver.organisationId}`;
      team = `${of}/teams/${await makeTeam(service, giver.organisationId)}/users/${chosen.id}`;
    });

    const reads = (status: number) =>
      chosen.client.get(`/organisations/${third.reading.organisationId}`).expect(status);

    it.each<[string, (client: () => ApiClient) => Promise<unknown>]>([
      ['a team', (client) => client().put(team).expect(204)],
      ['the same roles', (client) => patch(client(), { defaultRoles: 'ROLE_SYSTEM' }).expect(204)],
    ])('with %s by a manager of the giver, above it, an admin, and their API keys', async (_, choose) => {
      const { giver } = managed;
      const key = await makeApiKey(service, giver.custadmin.id);
      const serviceKey = await makeServiceKey(service, giver.organisationId, {
        operations: ['teams.updateMembers', 'users.update'],
      });
      for (const client of [
        giver.custadmin.client,
        above.custadmin.client,
        admin,
        key.client,
        serviceKey.client,
      ]) {
        await reads(403);
        await choose(() => client);
        await reads(200);
        await service.sql`UPDATE users SET confirmed_at = NULL WHERE id = ${chosen.id}`;
      }
    });

    it('not with other changes, nor by the grant, nor by staff in the name of a manager', async () => {
      const { giver, agency } = managed;
      const staff = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
      await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${staff.id}`;
      await service.sql`INSERT INTO support_access (organisation_id, access) VALUES (${giver.organisationId}, 'write')`;
      const support = await makeSupportLogin(service, giver.custadmin.id, staff.id, { write: true });
      await patch(giver.custadmin.client).expect(204);
      await patch(chosen.client).expect(204);
      await support.put(team).expect(403);
      await agency.custadmin.client.put(team).expect(204);
      const refused = await patch(agency.custadmin.client, { defaultRoles: 'ROLE_SYSTEM' }).expect(403);
      expect(refused.body).toMatchObject(UNCOVERED);
      await reads(403);
    });
  });

  it('read of the group System what is about themselves, and are mailed no more', async () => {
    const { giver, of } = managed;
    const { organisationId } = giver;
    for (const group of ['App', 'Crm', 'Domain', 'Finance', 'Mail', 'System'])
      await giver.custadmin.client.post(`${of}/notifications`, { type: `posted${group}`, group }).expect(201);
    await makeNotification(service, { organisationId, type: 'ofTheService' });
    await chosen.client.post(`${of}/users/${chosen.id}/sshkeys`, { content: newPublicKey() }).expect(201);
    await runJobs(service);
    const read = async ({ client }: MadeUser) => {
      const { body } = await client.get(`${of}/notifications?limit=0`).expect(200);
      const { notifications, total } = body as {
        notifications: { type: string; notificationGroup: string; entityClass?: string }[];
        total?: number;
      };
      expect(total ?? notifications.length).toBe(notifications.length);
      return notifications
        .filter(({ notificationGroup }) => notificationGroup === 'System')
        .map(({ type }) => type)
        .sort();
    };
    // The SSH keys that an admin and it itself added.
    expect(await read(chosen)).toEqual(['new', 'new']);
    expect(await read(giver.plain)).toEqual(
      expect.arrayContaining(['ofTheService', 'postedSystem', 'given_begun', 'new']),
    );
    const mailed = await service.sql<{ type: string; kind: string }>`
      SELECT n.type, r.kind FROM notification_recipients r JOIN notifications n ON n.id = r.notification_id
      WHERE n.organisation_id = ${organisationId} AND r.value = ${chosen.username} ORDER BY n.type, r.kind`;
    expect(mailed.map(({ type, kind }) => `${type} ${kind}`)).toEqual([
      'new invited',
      'new own',
      'new own',
      'postedApp contact',
      'postedCrm contact',
      'postedDomain contact',
      'postedFinance contact',
      'postedMail contact',
    ]);
    await giver.custadmin.client.put(`${of}/teams/${third.teamId}/users/${chosen.id}`).expect(204);
    await giver.custadmin.client
      .post(`${of}/notifications`, { type: 'postedSystem', group: 'System' })
      .expect(201);
    await runJobs(service);
    expect(await read(chosen)).toEqual(expect.arrayContaining(['ofTheService', 'postedSystem']));
    expect(
      await service.sql`SELECT FROM notification_recipients r JOIN notifications n ON n.id = r.notification_id
        WHERE r.value = ${chosen.username} AND n.type = 'postedSystem' AND n.organisation_id = ${organisationId}`,
    ).toHaveLength(1);
  });

  it('are those of an invitation that the grant changed or sent again too', async () => {
    const { giver, agency, of } = managed;
    const { organisationId } = giver;
    const grantOf = async ({ id }: { readonly id: number }) => {
      const [row] = await service.sql<{ grantId: number | null }>`
        SELECT grant_id AS "grantId" FROM invitations WHERE id = ${id}`;
      return row?.grantId;
    };
    const resend = (by: Customer, { id }: { readonly id: number }) =>
      by.custadmin.client.post(`${of}/invitations/${id}/resend`).expect(200);
    const change = (by: Customer, { id }: { readonly id: number }, email: string) =>
      by.custadmin.client
        .put(`${of}/invitations/${id}`, { email, firstName: 'Eva', lastName: 'Maes' })
        .expect(204);
    const sent = await inviteBy(giver.custadmin, organisationId);
    const changed = await inviteBy(giver.custadmin, organisationId);
    expect(await grantOf(sent)).toBeNull();
    await resend(agency, sent);
    await change(agency, changed, `redirected.${changed.email}`);
    for (const one of [sent, changed]) expect(await grantOf(one)).toBe(managed.grantId);
    const user = await register(service, { ...changed, email: `redirected.${changed.email}` });
    await user.client.get(`/organisations/${third.reading.organisationId}`).expect(403);
    // A manager of the giver who sends the mail again chooses nobody; with another address, it does.
    await resend(giver, sent);
    expect(await grantOf(sent)).toBe(managed.grantId);
    expect(await tokenTo(service, sent.email)).toMatch(/^[0-9a-f]{64}$/);
    await change(giver, sent, `own.${sent.email}`);
    expect(await grantOf(sent)).toBeNull();
  });

  it('come into no team that by then works for a third organisation', async () => {
    const { giver, agency } = managed;
    const { organisationId } = giver;
    const plain = await makeTeam(service, organisationId);
    const using = await makeTeam(service, organisationId);
    const holding = await makeTeam(service, organisationId);
    const invitations = [
      await inviteBy(agency.custadmin, organisationId),
      await inviteBy(giver.custadmin, organisationId),
    ];
    const teams = [plain, using, holding];
    // Variant B sets no teams.
    await service.sql`UPDATE invitations SET auto_teams = ${teams}::integer[] WHERE organisation_id = ${organisationId}`;
    await service.sql`INSERT INTO acl_teams (acl_id, team_id)
      SELECT id, ${using} FROM acls WHERE organisation_id = ${third.managing.organisationId}`;
    await service.sql`INSERT INTO team_entities (team_id, kind, object_id)
      VALUES (${holding}, 'systems', ${third.systemId})`;
    const teamsOf = async ({ id }: MadeUser) =>
      (
        await service.sql<{
          id: number;
        }>`SELECT team_id AS id FROM team_members WHERE user_id = ${id} ORDER BY 1`
      ).map(({ id: team }) => team);
    const byGrant = await register(service, invitations[0] as (typeof invitations)[number]);
    const own = await register(service, invitations[1] as (typeof invitations)[number]);
    expect(await teamsOf(byGrant)).toEqual([plain]);
    expect(await teamsOf(own)).toEqual(teams);
  });
});
