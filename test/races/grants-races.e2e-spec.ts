import { type Call, Wire } from '../support/generators/access-calls';
import { makeCustomer, makeUser, type MadeUser } from '../support/factories/factories';
import { makeTeam } from '../support/factories/records';
import { untilBlocked, untilWaiting } from '../support/faults/locks';
import { useService, useMade } from '../support/service/service';

const ROUNDS = 6;

/** A grant to manage, and a team of the agency that uses it. */
interface World {
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
  ...{ method, path: `/v1/organisations/${agency.organisationId}/${path}` },
  ...{ hash: agency.custadmin.client.hash, body },
});

/** What takes the grant away from whoever writes by it. */
const ENDS: readonly End[] = [
  {
    what: 'ends the grant',
    of: ({ giver, grantId }) => ({
      ...{ method: 'DELETE', path: `/v1/organisations/${giver.organisationId}/grants/${grantId}` },
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
        ...{ username: world.manager.username, firstName: 'Jan', lastName: 'de Vries', defaultRoles: '' },
      }),
    writer: 'manager',
  },
];

describe('grants at the same time', () => {
  afterAll(() => wire.close());
  const service = useService('A', { settings: { databasePool: 20 } });
  const wire = useMade(() => new Wire(service.url));

  async function makeWorld(): Promise<World> {
    const [giver, agency] = [await makeCustomer(service), await makeCustomer(service)];
    const member = await makeUser(service, { organisationId: agency.organisationId });
    const manager = await makeUser(service, {
      ...{ organisationId: agency.organisationId, roles: ['ROLE_CUSTADMIN'] },
    });
    const teamId = await makeTeam(service, agency.organisationId, { userIds: [member.id] });
    const { body } = await giver.custadmin.client
      .post(`/organisations/${giver.organisationId}/grants`, {
        ...{ organisation: agency.organisationId, access: 'manage' },
      })
      .expect(201);
    const grantId = (body as { grant: { id: number } }).grant.id;
    await agency.custadmin.client
      .put(`/organisations/${agency.organisationId}/grants/${grantId}/teams/${teamId}`)
      .expect(204);
    return { giver, agency, grantId, teamId, member, manager };
  }

  const writing = (world: World, { writer }: End, index = 0): Call => ({
    ...{ method: 'POST', path: `/v1/organisations/${world.giver.organisationId}/teams` },
    ...{ hash: world[writer].client.hash, body: { name: `Team ${index}` } },
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

  it('are given once', async () => {
    const [giver, agency] = [await makeCustomer(service), await makeCustomer(service)];
    const answers = await Promise.all(
      Array.from({ length: 16 }, () =>
        wire.send({
          ...{ method: 'POST', path: `/v1/organisations/${giver.organisationId}/grants` },
          ...{ hash: giver.custadmin.client.hash, body: { organisation: agency.organisationId } },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(15).fill(400)]);
    expect(new Set(answers.filter(({ status }) => status === 400).map(({ reason }) => reason))).toEqual(
      new Set(['VALIDATION_FAILED']),
    );
  });
});
