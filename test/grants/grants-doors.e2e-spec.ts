import {
  type MadeUser,
  makeCustomer,
  makeGrant,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import { makeApiKey, newPublicKey } from '../support/factories/key-factories';
import { storePasskey } from '../support/factories/passkey-factories';
import { makeTeam, register } from '../support/factories/records';
import { makeSupportLogin } from '../support/factories/support-factories';
import { enable, suspend } from '../support/factories/suspensions-factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { accessListOf } from '../support/service/access-lists';
import { ApiClient, asAdmin, loggedIn } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';
import { letExpire } from '../support/service/time';

/**
 * Where else a grant shows itself: what its user reads and changes at the grantor, and finds in lists, is in
 * test/rights/grants.e2e-spec.ts.
 */
interface Doors {
  /** `GET …/entities` of the grantee has the system of the grantor. */
  readonly inOverview: boolean;
  /** The team that holds the system shows its name. */
  readonly inTeam: boolean;
  /** The system hands the key of the user to sshd. */
  readonly key: boolean;
}

const NOTHING: Doors = { inOverview: false, inTeam: false, key: false };
const READING: Doors = { inOverview: true, inTeam: true, key: false };
const MANAGING: Doors = { inOverview: true, inTeam: true, key: true };
/** The team holds the system whoever looks at it. */
const UNPROVEN: Doors = { ...NOTHING, inTeam: true };

interface World {
  readonly grantor: Awaited<ReturnType<typeof makeCustomer>>;
  readonly agency: Awaited<ReturnType<typeof makeCustomer>>;
  /** In a team of the agency that holds the system and adds SSH keys. */
  readonly member: MadeUser;
  readonly teamId: number;
  readonly systemId: number;
}

describeSharedService(SHARED_VARIANTS, 'the doors that a grant opens, in Variant %s', (service) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

  async function makeWorld({ required2fa = false } = {}): Promise<World> {
    const grantor = await makeCustomer(service, { required2fa });
    const agency = await makeCustomer(service);
    const member = await makeUser(service, { organisationId: agency.organisationId, roles: ['ROLE_SYSTEM'] });
    const teamId = await makeTeam(service, agency.organisationId, { userIds: [member.id] });
    await service.sql`UPDATE teams SET auto_add_sshkey = true WHERE id = ${teamId}`;
    const systemId = 700_000 + nextNumber();
    const { organisationId } = grantor;
    await register(service, {
      kind: 'system',
      id: systemId,
      name: 'web1',
      organisationId,
      domains: undefined,
    });
    await service.sql`INSERT INTO team_entities (team_id, kind, object_id) VALUES (${teamId}, 'systems', ${systemId})`;
    return { grantor, agency, member, teamId, systemId };
  }

  async function grant(
    { grantor, agency, teamId }: World,
    access: 'read' | 'manage',
    namesTeam: boolean,
  ): Promise<number> {
    const id = await makeGrant(service, grantor.organisationId, agency.organisationId, { access });
    if (namesTeam) await service.sql`INSERT INTO acl_teams (acl_id, team_id) VALUES (${id}, ${teamId})`;
    return id;
  }

  const sshKeysOf = ({ id, organisationId }: MadeUser): string =>
    `/organisations/${organisationId}/users/${id}/sshkeys`;

  async function addKey(by: ApiClient, user: MadeUser): Promise<number> {
    const { body } = await by.post(sshKeysOf(user), { content: newPublicKey() }).expect(201);
    return (body as { sshkey: { id: number } }).sshkey.id;
  }

  const hasKey = async ({ systemId, member }: World): Promise<boolean> =>
    (await admin.get(`/entities/systems/${systemId}/authorizedkeys`).expect(200)).text.includes(
      `user:${member.id}\n`,
    );

  /** What each way says about the member, who presents this credential. */
  async function ask(world: World, by: ApiClient = world.member.client): Promise<Doors> {
    const { agency, teamId, systemId } = world;
    const { body: overview } = await by.get(`/organisations/${agency.organisationId}/entities`).expect(200);
    const { body: team } = await by
      .get(`/organisations/${agency.organisationId}/teams/${teamId}`)
      .expect(200);
    const [system] = (team as { team: { teamEntities: { systems: { id: number; name: string }[] } } }).team
      .teamEntities.systems;
    expect(system?.id).toBe(systemId);
    return {
      inOverview: (overview as { systems: { id: number }[] }).systems.some(({ id }) => id === systemId),
      inTeam: system?.name === 'web1',
      key: await hasKey(world),
    };
  }

  /** `access` of the member in the list of who has access. */
  async function listedAccess({ grantor, member }: World): Promise<string | undefined> {
    const { access } = await accessListOf(admin, grantor.organisationId);
    return access.find(({ kind, id }) => kind === 'user' && id === member.id)?.access;
  }

  describe('to a member of a team that holds a record of the grantor', () => {
    it.each<[string, 'read' | 'manage', boolean, Doors]>([
      ['to read: reading alone', 'read', false, READING],
      ['to read, which names the team: reading alone', 'read', true, READING],
      ['to manage, which names no team: nothing', 'manage', false, NOTHING],
      ['to manage, which names the team: all', 'manage', true, MANAGING],
    ])(
      'are by a grant %s; none while the grantor is suspended, or after its end',
      async (_, access, names, open) => {
        const world = await makeWorld();
        await addKey(world.member.client, world.member);
        expect(await ask(world)).toEqual(NOTHING);
        const grantId = await grant(world, access, names);
        expect(await ask(world)).toEqual(open);
        if (names) expect(await listedAccess(world)).toBe(open.key ? 'manage' : 'read');

        await suspend(admin, world.grantor.organisationId);
        expect(await ask(world)).toEqual(NOTHING);
        expect(await listedAccess(world)).toBeUndefined();
        await enable(admin, world.grantor.organisationId);
        expect(await ask(world)).toEqual(open);

        await letExpire(service, 'acls', { id: grantId });
        expect(await ask(world)).toEqual(NOTHING);
        expect(await listedAccess(world)).toBeUndefined();
      },
    );

    it('are none by a grant to manage that names another team', async () => {
      const world = await makeWorld();
      await addKey(world.member.client, world.member);
      const { agency, member } = world;
      const other = await makeTeam(service, agency.organisationId, { userIds: [member.id] });
      await grant({ ...world, teamId: other }, 'manage', true);
      // The member manages the grantor, and its records, by the other team. The team that holds
      // the system is not let in.
      expect(await ask(world)).toEqual({ ...MANAGING, inTeam: false, key: false });
    });

    it('are none while an organisation above the grantor is suspended with all beneath it', async () => {
      const world = await makeWorld();
      await grant(world, 'read', false);
      const above = await makeCustomer(service);
      await service.sql`UPDATE organisations SET reseller_id = ${above.organisationId}
        WHERE id = ${world.grantor.organisationId}`;
      expect(await ask(world)).toEqual({ ...READING, key: false });
      await suspend(admin, above.organisationId, { withSubOrganisations: true });
      expect(await ask(world)).toEqual(NOTHING);
    });
  });

  describe('where the grantor demands a second factor', () => {
    let world: World;
    let password: ApiClient;
    beforeEach(async () => {
      world = await makeWorld({ required2fa: true });
      await grant(world, 'manage', true);
      password = world.member.client;
      await addKey(password, world.member);
    });

    /** Another login of the member, which was made with a passkey. */
    async function passkeyLogin(): Promise<ApiClient> {
      const { client } = await makeUser(service, { organisationId: world.agency.organisationId });
      await service.sql`UPDATE logins SET user_id = ${world.member.id},
          passkey_id = (SELECT max(id) FROM passkeys WHERE user_id = ${world.member.id})
        WHERE user_id = (SELECT max(id) FROM users)`;
      return client;
    }

    const addPasskey = () => storePasskey(service, world.member.id);
    const addAuthenticator = () =>
      service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${world.member.id}`;

    it('are none without one', async () => {
      expect(await ask(world)).toEqual(UNPROVEN);
      expect(await listedAccess(world)).toBeUndefined();
    });

    it('are all with an authenticator', async () => {
      await addAuthenticator();
      expect(await ask(world)).toEqual(MANAGING);
      expect(await listedAccess(world)).toBe('manage');
    });

    it('are all with a login by a passkey, not with one by the password, and the SSH keys of its user count', async () => {
      await addPasskey();
      const { username } = world.member;
      expect(await ask(world, await loggedIn(service, username, PASSWORD))).toEqual({
        ...UNPROVEN,
        key: true,
      });
      // The list speaks of users, not of logins: who owns a second factor can pass it.
      expect(await listedAccess(world)).toBe('manage');
      expect(await ask(world, await passkeyLogin())).toEqual(MANAGING);
    });

    it('are none for an API key, whoever made it', async () => {
      await addAuthenticator();
      const { client } = await makeApiKey(service, world.member.id);
      expect(await ask(world, client)).toEqual({ ...UNPROVEN, key: true });
    });
  });

  it('are shut to a support login, whatever its user may do', async () => {
    const world = await makeWorld();
    await grant(world, 'manage', true);
    const { agency, member, teamId, systemId } = world;
    await service.sql`INSERT INTO support_access (organisation_id, access) VALUES (${agency.organisationId}, 'write')`;
    const staff = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
    await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${staff.id}`;
    const supportOf = (user: MadeUser) => makeSupportLogin(service, user.id, staff.id, { write: true });
    await addKey(member.client, member);
    expect(await ask(world, await supportOf(member))).toEqual({ ...NOTHING, key: true });
    const manager = await supportOf(agency.custadmin);
    const systems = `/organisations/${agency.organisationId}/teams/${teamId}/systems`;
    await manager.delete(`${systems}/${systemId}`).expect(403);
    await manager.post(systems, { objectId: systemId }).expect(403);
  });
});
