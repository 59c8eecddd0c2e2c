import { type MadeUser, makeCustomer, makeOrganisation, makeUser } from '../support/factories/factories';
import { makeTeam } from '../support/factories/records';
import { suspend } from '../support/factories/suspensions-factories';
import { untilBlocked, untilWaiting } from '../support/faults/locks';
import { type Call, Wire } from '../support/generators/access-calls';
import { atOnce } from '../support/service/at-once';
import { type ApiClient, asAdmin } from '../support/service/client';
import { useService } from '../support/service/service';
import { letExpireIn } from '../support/service/time';

const ROUNDS = 6;

/** A grant to manage, and a team of the agency that uses it. */
interface World {
  readonly admin: ApiClient;
  /** Above the giver. */
  readonly above: number;
  /** Suspended, with all that lies beneath it. */
  readonly suspended: number;
  readonly giver: { readonly organisationId: number; readonly custadmin: MadeUser };
  readonly agency: { readonly organisationId: number; readonly custadmin: MadeUser };
  readonly grantId: number;
  readonly teamId: number;
  /** Uses the grant by the team. */
  readonly member: MadeUser;
  /** Uses it as a CUSTADMIN. */
  readonly manager: MadeUser;
}

interface End {
  readonly what: string;
  readonly of: (world: World) => Call;
  readonly writer: 'member' | 'manager';
}

const inAgency = (
  { agency }: World,
  method: string,
  path: string,
  body?: object,
): Pick<Call, 'method' | 'path' | 'hash' | 'body'> => ({
  method,
  path: `/v1/organisations/${agency.organisationId}/${path}`,
  hash: agency.custadmin.client.hash,
  body,
});

const byAdmin = (
  { admin, giver }: World,
  method: string,
  body: object,
  path = `/v1/organisations/${giver.organisationId}`,
): Call => ({ method, path, hash: admin.hash, body });

const NAMED = { name: 'Bakkerij de Vries', taxNumber: 'NL001' };

/** What takes the grant away from whoever writes by it. */
const ENDS: readonly End[] = [
  {
    what: 'ends the grant',
    of: ({ giver, grantId }) => ({
      method: 'DELETE',
      path: `/v1/organisations/${giver.organisationId}/grants/${grantId}`,
      hash: giver.custadmin.client.hash,
    }),
    writer: 'manager',
  },
  {
    what: 'takes the team out of the grant',
    of: (world) => inAgency(world, 'DELETE', `grants/${world.grantId}/teams/${world.teamId}`),
    writer: 'member',
  },
  {
    what: 'takes the user out of the team',
    of: (world) => inAgency(world, 'DELETE', `teams/${world.teamId}/users/${world.member.id}`),
    writer: 'member',
  },
  {
    what: 'deletes the team',
    of: (world) => inAgency(world, 'DELETE', `teams/${world.teamId}`),
    writer: 'member',
  },
  {
    what: 'disables the user',
    of: (world) => inAgency(world, 'POST', `users/${world.member.id}/actions`, { type: 'disable' }),
    writer: 'member',
  },
  {
    what: 'deletes the CUSTADMIN',
    of: (world) => inAgency(world, 'DELETE', `users/${world.manager.id}`),
    writer: 'manager',
  },
  {
    what: 'takes the role of the CUSTADMIN away',
    of: (world) =>
      inAgency(world, 'PATCH', `users/${world.manager.id}`, {
        username: world.manager.username,
        firstName: 'Jan',
        lastName: 'de Vries',
        defaultRoles: '',
      }),
    writer: 'manager',
  },
  {
    what: 'suspends the giver',
    of: (world) =>
      byAdmin(world, 'POST', { type: 'disable' }, `/v1/organisations/${world.giver.organisationId}/actions`),
    writer: 'manager',
  },
  {
    what: 'suspends what lies beneath an organisation above the giver',
    of: (world) =>
      byAdmin(
        world,
        'POST',
        { type: 'disable', withSubOrganisations: true },
        `/v1/organisations/${world.above}/actions`,
      ),
    writer: 'manager',
  },
  {
    what: 'moves the giver beneath a suspended organisation',
    of: (world) => byAdmin(world, 'PATCH', { ...NAMED, resellerOrganisation: world.suspended }),
    writer: 'member',
  },
  {
    what: 'demands a second factor',
    of: (world) => byAdmin(world, 'PATCH', { ...NAMED, required2fa: true }),
    writer: 'member',
  },
];

describe('grants at the same time', () => {
  afterAll(() => wire.close());
  const service = useService('A', { settings: { databasePool: 20 } });
  let wire: Wire;
  let admin: ApiClient;
  beforeAll(async () => {
    wire = new Wire(service.url);
    admin = await asAdmin(service);
  });

  async function makeWorld(): Promise<World> {
    const above = await makeOrganisation(service);
    const suspended = await makeOrganisation(service);
    await suspend(admin, suspended, { withSubOrganisations: true });
    const giver = await makeCustomer(service, { resellerId: above });
    const agency = await makeCustomer(service);
    const member = await makeUser(service, { organisationId: agency.organisationId });
    const manager = await makeUser(service, {
      organisationId: agency.organisationId,
      roles: ['ROLE_CUSTADMIN'],
    });
    const teamId = await makeTeam(service, agency.organisationId, { userIds: [member.id] });
    const { body } = await giver.custadmin.client
      .post(`/organisations/${giver.organisationId}/grants`, {
        organisation: agency.organisationId,
        access: 'manage',
      })
      .expect(201);
    const grantId = (body as { grant: { id: number } }).grant.id;
    await agency.custadmin.client
      .put(`/organisations/${agency.organisationId}/grants/${grantId}/teams/${teamId}`)
      .expect(204);
    return { admin, above, suspended, giver, agency, grantId, teamId, member, manager };
  }

  const writing = (world: World, { writer }: End, index = 0): Call => ({
    method: 'POST',
    path: `/v1/organisations/${world.giver.organisationId}/teams`,
    hash: world[writer].client.hash,
    body: { name: `Team ${index}` },
  });
  const written = async ({ giver }: World): Promise<number> =>
    (await service.sql`SELECT FROM teams WHERE organisation_id = ${giver.organisationId}`).length;

  describe.each(ENDS)('what $what', (end) => {
    it('lets 16 writers store nothing after its answer', async () => {
      const outcomes = new Set<number>();
      for (let round = 0; round < ROUNDS; round++) {
        const world = await makeWorld();
        const calls = Array.from({ length: 16 }, (_, index) => writing(world, end, index));
        // In turn among the first and the last: the connections send eight at a time.
        const place = (round * 5) % 17;
        calls.splice(place, 0, end.of(world));
        const sent = calls.map((call) => wire.send(call));
        expect([200, 204]).toContain((await sent[place])?.status);
        const atTheEnd = await written(world);
        const answers = (await Promise.all(sent)).filter((_, index) => index !== place);
        expect(await written(world)).toBe(atTheEnd);
        expect(answers.filter(({ status }) => status === 201)).toHaveLength(atTheEnd);
        for (const { status } of answers) outcomes.add(status);
      }
      expect([...outcomes].filter((status) => ![201, 401, 403].includes(status))).toEqual([]);
      expect(outcomes.has(401) || outcomes.has(403)).toBe(true);
    });

    it('waits for a write that commits', async () => {
      const world = await makeWorld();
      await service.sql`CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NULL; END $$`;
      await service.sql`CREATE CONSTRAINT TRIGGER hold_commit AFTER INSERT ON teams
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hold_commit()`;
      await service.sql`SELECT pg_advisory_lock(4711)`;
      try {
        const write = wire.send(writing(world, end));
        await untilWaiting(service, 1);
        let stored: number | undefined;
        const ended = wire.send(end.of(world)).then(async ({ status }) => {
          stored = await written(world);
          return status;
        });
        await untilBlocked(service, ended, 2);
        await service.sql`SELECT pg_advisory_unlock(4711)`;
        expect([200, 204]).toContain(await ended);
        expect([(await write).status, stored]).toEqual([201, 1]);
      } finally {
        await service.sql`SELECT pg_advisory_unlock_all()`;
        await service.sql`DROP FUNCTION hold_commit CASCADE`;
      }
    });
  });

  it('let a write store nothing when they end while it runs', async () => {
    const world = await makeWorld();
    const { grantId, giver } = world;
    await service.sql`CREATE FUNCTION hold_write() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock_shared(4712); RETURN NULL; END $$`;
    await service.sql`CREATE TRIGGER hold_write AFTER INSERT ON teams FOR EACH ROW EXECUTE FUNCTION hold_write()`;
    await service.sql`SELECT pg_advisory_lock(4712)`;
    try {
      await letExpireIn(service, 'acls', { id: grantId }, '1 second');
      const write = wire.send({
        method: 'POST',
        path: `/v1/organisations/${giver.organisationId}/teams`,
        hash: world.manager.client.hash,
        body: { name: 'Late' },
      });
      await untilWaiting(service, 1);
      await service.sql`SELECT pg_sleep(1.1)`;
      await service.sql`SELECT pg_advisory_unlock(4712)`;
      expect([(await write).status, await written(world)]).toEqual([403, 0]);
    } finally {
      await service.sql`SELECT pg_advisory_unlock_all()`;
      await service.sql`DROP FUNCTION hold_write CASCADE`;
    }
  });

  it('are given once', async () => {
    const giver = await makeCustomer(service);
    const agency = await makeCustomer(service);
    const answers = await atOnce(16, () =>
      wire.send({
        method: 'POST',
        path: `/v1/organisations/${giver.organisationId}/grants`,
        hash: giver.custadmin.client.hash,
        body: { organisation: agency.organisationId },
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(15).fill(400)]);
    expect(new Set(answers.filter(({ status }) => status === 400).map(({ reason }) => reason))).toEqual(
      new Set(['VALIDATION_FAILED']),
    );
  });
});
