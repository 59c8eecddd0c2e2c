import { VARIANTS } from '../../qa/variants';
import {
  type MadeUser,
  makeCustomer,
  makeGrant,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import { makeApiKey, makeServiceKey, newPublicKey } from '../support/factories/key-factories';
import { storePasskey } from '../support/factories/passkey-factories';
import { makeTeam, register } from '../support/factories/records';
import { makeSupportLogin } from '../support/factories/support-factories';
import { enable, suspend } from '../support/factories/suspensions-factories';
import { accessListOf } from '../support/service/access-lists';
import { ApiClient, asAdmin, loggedIn } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';
import { letExpire } from '../support/service/time';

/** The ways to ask what a user of the grantee may do with the giver and its system. */
interface Doors {
  /** `GET /organisations/{giver}` */
  readonly reads: boolean;
  /** `POST /organisations/{giver}/teams`: 201, or the reason of the refusal. */
  readonly writes: string;
  readonly forwarded: boolean;
  readonly listed: boolean;
  readonly inOverview: boolean;
  /** The team that holds the system shows its name. */
  readonly inTeam: boolean;
  /** The system hands the key of the user to sshd. */
  readonly key: boolean;
}

const doors = ({
  reads,
  manages,
  refusal = 'ACCESS_DENIED',
  inTeam = reads,
  key = manages,
}: {
  readonly reads: boolean;
  readonly manages: boolean;
  readonly refusal?: string;
  readonly inTeam?: boolean;
  readonly key?: boolean;
}): Doors => {
  return {
    reads,
    writes: manages ? 'ALLOWED' : refusal,
    forwarded: reads,
    listed: reads,
    inOverview: reads,
    inTeam,
    key,
  };
};

const NOTHING = doors({ reads: false, manages: false });
const READING = doors({ reads: true, manages: false });
const MANAGING = doors({ reads: true, manages: true });
const UNPROVEN = doors({ reads: true, manages: false, refusal: 'SECOND_FACTOR_REQUIRED' });

const PROGRAM = { name: 'Program', whitelist: [] };

interface World {
  readonly giver: Awaited<ReturnType<typeof makeCustomer>>;
  readonly agency: Awaited<ReturnType<typeof makeCustomer>>;
  /** In a team of the agency that holds the system and adds SSH keys. */
  readonly member: MadeUser;
  readonly teamId: number;
  readonly systemId: number;
}

describeSharedService(VARIANTS, 'the doors that a grant opens, in Variant %s', (service, variant) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

  async function makeWorld({ required2fa = false } = {}): Promise<World> {
    const giver = await makeCustomer(service, { required2fa });
    const agency = await makeCustomer(service);
    const member = await makeUser(service, { organisationId: agency.organisationId, roles: ['ROLE_SYSTEM'] });
    const teamId = await makeTeam(service, agency.organisationId, { userIds: [member.id] });
    await service.sql`UPDATE teams SET auto_add_sshkey = true WHERE id = ${teamId}`;
    const systemId = 700_000 + nextNumber();
    const { organisationId } = giver;
    await register(service, {
      kind: 'system',
      id: systemId,
      name: 'web1',
      organisationId,
      domains: undefined,
    });
    await service.sql`INSERT INTO team_entities (team_id, kind, object_id) VALUES (${teamId}, 'systems', ${systemId})`;
    return { giver, agency, member, teamId, systemId };
  }

  async function grant(
    { giver, agency, teamId }: World,
    access: 'read' | 'manage',
    namesTeam: boolean,
  ): Promise<number> {
    const id = await makeGrant(service, giver.organisationId, agency.organisationId, { access });
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

  const write = ({ giver }: World, by: ApiClient) =>
    by.post(`/organisations/${giver.organisationId}/teams`, { name: `Team ${nextNumber()}` });

  async function writesBy(world: World, by: ApiClient): Promise<string> {
    const { status, body } = await write(world, by);
    return status === 201 ? 'ALLOWED' : (body as { reason: string }).reason;
  }

  /** What each way says about the member, who presents this credential. */
  async function ask(world: World, by: ApiClient = world.member.client): Promise<Doors> {
    const { giver, agency, teamId, systemId } = world;
    const statusOf = async (path: string): Promise<number> => (await by.get(path)).status;
    const { body: organisations } = await by.get('/organisations?limit=0').expect(200);
    const { body: overview } = await by.get(`/organisations/${agency.organisationId}/entities`).expect(200);
    const { body: team } = await by
      .get(`/organisations/${agency.organisationId}/teams/${teamId}`)
      .expect(200);
    const [system] = (team as { team: { teamEntities: { systems: { id: number; name: string }[] } } }).team
      .teamEntities.systems;
    expect(system?.id).toBe(systemId);
    return {
      reads: (await statusOf(`/organisations/${giver.organisationId}`)) === 200,
      writes: await writesBy(world, by),
      forwarded: (await statusOf(`/access/forward?organisation=${giver.organisationId}`)) === 204,
      listed: (organisations as { organisations: { id: number }[] }).organisations.some(
        ({ id }) => id === giver.organisationId,
      ),
      inOverview: (overview as { systems: { id: number }[] }).systems.some(({ id }) => id === systemId),
      inTeam: system?.name === 'web1',
      key: await hasKey(world),
    };
  }

  /** `access` of the member in the list of who has access. */
  async function listedAccess({ giver, member }: World): Promise<string | undefined> {
    const { access } = await accessListOf(admin, giver.organisationId);
    return access.find(({ kind, id }) => kind === 'user' && id === member.id)?.access;
  }

  describe('to a member of a team that holds a record of the giver', () => {
    it.each<[string, 'read' | 'manage', boolean, Doors]>([
      ['to read: reading alone', 'read', false, READING],
      ['to read, which names the team: reading alone', 'read', true, READING],
      ['to manage, which names no team: nothing', 'manage', false, NOTHING],
      ['to manage, which names the team: all', 'manage', true, MANAGING],
    ])(
      'are by a grant %s; none while the giver is suspended, or after its end',
      async (_, access, names, open) => {
        const world = await makeWorld();
        await addKey(world.member.client, world.member);
        expect(await ask(world)).toEqual(NOTHING);
        const grantId = await grant(world, access, names);
        expect(await ask(world)).toEqual(open);
        if (names) expect(await listedAccess(world)).toBe(open.writes === 'ALLOWED' ? 'manage' : 'read');

        await suspend(admin, world.giver.organisationId);
        expect(await ask(world)).toEqual(NOTHING);
        expect(await listedAccess(world)).toBeUndefined();
        await enable(admin, world.giver.organisationId);
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
      // The member manages the giver, and its records, by the other team. The team that holds
      // the system is not let in.
      expect(await ask(world)).toEqual({ ...MANAGING, inTeam: false, key: false });
    });

    it('are none while an organisation above the giver is suspended with all beneath it', async () => {
      const world = await makeWorld();
      await grant(world, 'read', false);
      const above = await makeCustomer(service);
      await service.sql`UPDATE organisations SET reseller_id = ${above.organisationId}
        WHERE id = ${world.giver.organisationId}`;
      expect(await ask(world)).toEqual({ ...READING, key: false });
      await suspend(admin, above.organisationId, { withSubOrganisations: true });
      expect(await ask(world)).toEqual(NOTHING);
    });
  });

  describe('where the giver demands a second factor', () => {
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

    it('are for reading without one', async () => {
      expect(await ask(world)).toEqual(UNPROVEN);
      expect(await listedAccess(world)).toBe('read');
    });

    it('are for managing with an authenticator', async () => {
      await addAuthenticator();
      await addKey(password, world.member);
      expect(await ask(world)).toEqual(MANAGING);
      expect(await listedAccess(world)).toBe('manage');
    });

    it('are for managing with a login by a passkey, not with one by the password', async () => {
      await addPasskey();
      const { username } = world.member;
      expect(await ask(world, await loggedIn(service, username, PASSWORD))).toEqual(UNPROVEN);
      // The list speaks of users, not of logins: who owns a second factor can pass it.
      expect(await listedAccess(world)).toBe('manage');
      expect(await ask(world, await passkeyLogin())).toEqual({ ...MANAGING, key: false });
    });

    it('count an API key by what made it, while its user has a second factor', async () => {
      const passing = await makeApiKey(service, world.member.id);
      const other = await makeApiKey(service, world.member.id);
      await service.sql`UPDATE api_keys SET second_factor_passed = true WHERE id = ${passing.id}`;
      expect(await writesBy(world, passing.client)).toBe('SECOND_FACTOR_REQUIRED');
      await addPasskey();
      expect(await ask(world, passing.client)).toEqual({ ...MANAGING, key: false });
      expect(await ask(world, other.client)).toEqual(UNPROVEN);
      // It passes on what it has itself.
      await addKey(other.client, world.member);
      expect(await hasKey(world)).toBe(false);
      await addKey(passing.client, world.member);
      expect(await hasKey(world)).toBe(true);
    });

    it('count one by its last rotation', async () => {
      // Variant B makes no API keys.
      if (variant !== 'A') return;
      const path = `/organisations/${world.agency.organisationId}/users/${world.member.id}/apikeys`;
      const keyOf = async (by: ApiClient, route: string, body: object): Promise<[number, ApiClient]> => {
        const answer = await by.post(`${path}${route}`, body).expect(200);
        const { id, hash } = (answer.body as { apiKey: { id: number; hash: string } }).apiKey;
        return [id, new ApiClient(service.url, hash)];
      };
      await addPasskey();
      const passkey = await passkeyLogin();
      const [first, byPassword] = await keyOf(password, '', PROGRAM);
      expect(await writesBy(world, byPassword)).toBe('SECOND_FACTOR_REQUIRED');
      const [second, byPasskey] = await keyOf(passkey, `/${first}/rotate`, {});
      expect(await writesBy(world, byPasskey)).toBe('ALLOWED');
      expect(await writesBy(world, byPassword)).toBe('SECOND_FACTOR_REQUIRED');
      const [, again] = await keyOf(password, `/${second}/rotate`, {});
      expect(await writesBy(world, again)).toBe('SECOND_FACTOR_REQUIRED');
      const [, made] = await keyOf(passkey, '', PROGRAM);
      expect(await writesBy(world, made)).toBe('ALLOWED');
    });

    it('count an SSH key by the credential that last wrote its content', async () => {
      const { member, agency } = world;
      const path = sshKeysOf(member);
      const [key] = await service.sql<{ id: number }>`SELECT id FROM ssh_keys WHERE user_id = ${member.id}`;
      const change = (by: ApiClient, content = newPublicKey()) =>
        by.put(`${path}/${key?.id}`, { content, description: 'laptop' }).expect(204);
      await addPasskey();
      const passkey = await passkeyLogin();
      const content = newPublicKey();
      await change(passkey, content);
      expect(await hasKey(world)).toBe(true);
      await change(password, content);
      expect(await hasKey(world)).toBe(true);
      await change(password);
      expect(await hasKey(world)).toBe(false);
      // A manager who has passed its own.
      await change(agency.custadmin.client);
      expect(await hasKey(world)).toBe(false);
      await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${agency.custadmin.id}`;
      await change(agency.custadmin.client);
      expect(await hasKey(world)).toBe(true);
      await change(admin);
      expect(await hasKey(world)).toBe(false);
      await change(passkey);
      expect(await hasKey(world)).toBe(true);
      const program = await makeServiceKey(service, agency.organisationId, { operations: ['sshkeys.*'] });
      await change(program.client);
      expect(await hasKey(world)).toBe(false);
      await change(passkey);
      expect(await hasKey(world)).toBe(true);
      await service.sql`DELETE FROM passkeys WHERE user_id = ${member.id}`;
      expect(await hasKey(world)).toBe(false);
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
