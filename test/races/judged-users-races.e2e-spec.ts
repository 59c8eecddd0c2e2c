import { type MadeUser, makeCustomer, makeGrant, makeUser } from '../support/factories/factories';
import { makeContact } from '../support/factories/records';
import { transactionBeside, untilItWaits } from '../support/faults/locks';
import { type Call, Wire } from '../support/generators/access-calls';
import { useService } from '../support/service/service';

const ROUNDS = 6;

/** Acts on the user, which holds no role so far. */
interface Act {
  readonly what: string;
  readonly method: string;
  /** After the path of the user. */
  readonly path: string;
  readonly body?: (user: MadeUser) => object;
}

const named = ({ username }: MadeUser) => ({ username, firstName: 'Jan', lastName: 'de Vries' });

const ACTS: readonly Act[] = [
  { what: 'deletes it', method: 'DELETE', path: '' },
  { what: 'disables it', method: 'POST', path: '/actions', body: () => ({ type: 'disable' }) },
  { what: 'changes it', method: 'PATCH', path: '', body: named },
  {
    what: 'adds a contact',
    method: 'POST',
    path: '/contacts',
    body: () => ({ type: 'email', name: 'new@of.example' }),
  },
  { what: 'deletes its contact', method: 'DELETE', path: '/contacts/{contact}' },
];

/** rule grants 50, rule rights 33: no grant ever acts on a CUSTADMIN, and no CUSTADMIN on an admin. */
describe('whoever acts on a user that is given a role meanwhile', () => {
  afterAll(() => wire.close());
  const service = useService('A', { settings: { databasePool: 20 } });
  let wire: Wire;
  beforeAll(() => {
    wire = new Wire(service.url);
  });

  interface World {
    readonly organisationId: number;
    readonly custadmin: MadeUser;
    readonly user: MadeUser;
    readonly contact: number;
    readonly agent: MadeUser;
  }

  async function makeWorld(): Promise<World> {
    const { organisationId, custadmin } = await makeCustomer(service);
    const agency = await makeCustomer(service);
    await makeGrant(service, organisationId, agency.organisationId, { access: 'manage' });
    const user = await makeUser(service, { organisationId });
    const contact = await makeContact(service, { organisationId, userId: user.id });
    return { organisationId, custadmin, user, contact, agent: agency.custadmin };
  }

  const callOf = (
    { organisationId, user, contact }: Omit<World, 'custadmin' | 'agent'>,
    { method, path, body }: Act,
    by: MadeUser,
  ): Call => ({
    method,
    path: `/v1/organisations/${organisationId}/users/${user.id}${path.replace('{contact}', String(contact))}`,
    hash: by.client.hash,
    body: body?.(user),
  });

  /** What the acts change. */
  const stateOf = ({ user }: Pick<World, 'user'>) => service.sql`
    SELECT u.username, u.first_name, u.enabled, u.deleted_at,
      ARRAY(SELECT c.name::text FROM contacts c WHERE c.user_id = u.id ORDER BY c.id) AS contacts
    FROM users u WHERE u.id = ${user.id}`;

  /** The answer of a call that began before the role was stored, and met it. */
  async function meeting(role: string, { id }: MadeUser, call: Call) {
    await using beside = await transactionBeside(service);
    await beside.query('UPDATE users SET roles = ARRAY[$2::varchar] WHERE id = $1', [id, role]);
    const answer = wire.send(call);
    await untilItWaits(beside, answer);
    await beside.query('COMMIT');
    return answer;
  }

  describe.each(ACTS)('and $what', (act) => {
    it('by a grant: stores nothing on a CUSTADMIN', async () => {
      const world = await makeWorld();
      const before = await stateOf(world);
      const answer = await meeting('ROLE_CUSTADMIN', world.user, callOf(world, act, world.agent));
      expect(answer).toMatchObject({ status: 403, reason: 'GRANT_DOES_NOT_COVER' });
      expect(await stateOf(world)).toEqual(before);
    });

    it('as a CUSTADMIN of the operator: stores nothing on an admin', async () => {
      const organisationId = 1;
      const custadmin = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
      const user = await makeUser(service, { organisationId });
      const world = {
        organisationId,
        user,
        contact: await makeContact(service, { organisationId, userId: user.id }),
      };
      const before = await stateOf(world);
      const answer = await meeting('ROLE_ADMIN', user, callOf(world, act, custadmin));
      expect(answer).toMatchObject({ status: 403, reason: 'ACCESS_DENIED' });
      expect(await stateOf(world)).toEqual(before);
    });
  });

  it('by a grant: adds no contact to a user whose name becomes no address', async () => {
    const world = await makeWorld();
    await using beside = await transactionBeside(service);
    await beside.query(`UPDATE users SET username = 'login' || id WHERE id = $1`, [world.user.id]);
    const answer = wire.send(callOf(world, ACTS[3] as Act, world.agent));
    await untilItWaits(beside, answer);
    await beside.query('COMMIT');
    expect(await answer).toMatchObject({ status: 403, reason: 'GRANT_DOES_NOT_COVER' });
  });

  it('by a grant, 16 at once: stores nothing after the role', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const world = await makeWorld();
      const calls = Array.from({ length: 16 }, (_, index) =>
        callOf(world, ACTS[index % 2] as Act, world.agent),
      );
      const give = {
        what: 'gives the role',
        method: 'PATCH',
        path: '',
        body: (user: MadeUser) => ({ ...named(user), defaultRoles: 'ROLE_CUSTADMIN' }),
      };
      calls.splice((round * 3) % 9, 0, callOf(world, give, world.custadmin));
      for (const { status } of await wire.sendAll(calls)) outcomes.add(String(status));
      const overruled = await service.sql`
        SELECT act.action FROM audit_log given
        JOIN audit_log act ON act.table_name = 'users' AND act.record_id = given.record_id AND act.id > given.id
        WHERE given.table_name = 'users' AND given.record_id = ${world.user.id}
          AND jsonb_exists(given.after -> 'roles', 'ROLE_CUSTADMIN') AND act.grant_id IS NOT NULL`;
      expect(overruled).toEqual([]);
    }
    expect([...outcomes].filter((status) => !['200', '204', '403', '404'].includes(status))).toEqual([]);
  });
});
