import { type MadeUser, makeCustomer, PASSWORD } from '../support/factories/factories';
import { makeLink, makeLinkKey } from '../support/factories/login-links-factories';
import { giveSecondFactor, MovableClock } from '../support/factories/two-factor-factories';
import { pathOf } from '../support/factories/users-factories';
import { transactionBeside, untilBlocked } from '../support/faults/locks';
import { type Call, Wire, type WireResponse } from '../support/generators/access-calls';
import { ApiClient, asAdmin } from '../support/service/client';
import { useServices } from '../support/service/service';
import { NEIGHBOUR } from '../support/service/variants';

const ROUNDS = 10;

describe('POST /login/link at the same time: login links', () => {
  const [service, other] = useServices(['A', NEIGHBOUR], { settings: { databasePool: 20 } });
  let wires: readonly Wire[];
  let admin: ApiClient;
  let key: ApiClient;
  beforeAll(async () => {
    wires = [new Wire(service.url), new Wire(other.url)];
    admin = await asAdmin(service);
  });
  afterAll(() => {
    for (const wire of wires) wire.close();
  });
  beforeEach(async () => {
    await newKey();
  });

  /** An organisation has fifty keys, and a key makes sixty links a minute. */
  async function newKey(): Promise<number> {
    await service.sql`DELETE FROM service_keys`;
    const made = await makeLinkKey(service);
    key = made.client;
    return made.id;
  }

  /** Half of them by one process, half by the other. */
  async function atOnce(calls: readonly Call[]): Promise<WireResponse[]> {
    const responses = await Promise.all(calls.map((call, index) => (wires[index % 2] as Wire).send(call)));
    expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
    return responses;
  }

  const statusesOf = (responses: readonly WireResponse[], status: number): number =>
    responses.filter((response) => response.status === status).length;

  const using = (token: string, fields: object = {}): Call => ({
    method: 'POST',
    path: '/v1/login/link',
    body: { token, ...fields },
  });

  const making = (user: MadeUser): Call => ({
    method: 'POST',
    path: `/v1${pathOf(user)}/loginlinks`,
    hash: key.hash,
    body: {},
  });

  const loginsByLinks = ({ id }: MadeUser) =>
    service.sql`SELECT id FROM logins WHERE user_id = ${id} AND service_key_name IS NOT NULL`;

  const openLinksOf = ({ id }: MadeUser) =>
    service.sql`SELECT id FROM login_links WHERE user_id = ${id} AND used_at IS NULL AND ended_at IS NULL`;

  it('log in once, of sixteen', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { plain } = await makeCustomer(service);
      const { token } = await makeLink(key, plain);
      const responses = await atOnce(Array.from({ length: 16 }, () => using(token)));
      expect([statusesOf(responses, 200), statusesOf(responses, 401)]).toEqual([1, 15]);
      expect(await loginsByLinks(plain)).toHaveLength(1);
    }
  });

  it('check five codes at most, of sixteen', async () => {
    const clock = new MovableClock(service, other);
    const { plain } = await makeCustomer(service);
    const secret = await giveSecondFactor(service, plain.id);
    const { token } = await makeLink(key, plain);
    const wrong = { '6digitCode': clock.wrongCode(secret) };
    const calls = Array.from({ length: 16 }, () => (wires[0] as Wire).send(using(token, wrong)));
    const reasons = (await Promise.all(calls)).map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason === 'CODE_INVALID')).toHaveLength(5);
    expect(reasons.filter((reason) => reason === 'BAD_CREDENTIALS')).toHaveLength(11);
    expect(await openLinksOf(plain)).toEqual([]);
  });

  it('log in once with a right code among wrong ones, or end', async () => {
    const clock = new MovableClock(service, other);
    for (let round = 0; round < ROUNDS; round++) {
      const { plain } = await makeCustomer(service);
      const secret = await giveSecondFactor(service, plain.id);
      const { token } = await makeLink(key, plain);
      const calls = Array.from({ length: 16 }, (_, place) =>
        using(token, {
          '6digitCode': place % 8 === round % 8 ? clock.code(secret) : clock.wrongCode(secret),
        }),
      );
      const sent = await Promise.all(calls.map((call) => (wires[0] as Wire).send(call)));
      const logins = await loginsByLinks(plain);
      expect(logins).toHaveLength(statusesOf(sent, 200));
      expect(logins.length).toBeLessThanOrEqual(1);
    }
  });

  it('are ten at most of a user', async () => {
    const { plain } = await makeCustomer(service);
    const responses = await atOnce(Array.from({ length: 16 }, () => making(plain)));
    expect([statusesOf(responses, 201), statusesOf(responses, 400)]).toEqual([10, 6]);
    expect(await openLinksOf(plain)).toHaveLength(10);
  });

  /** What ends links, and what it leaves: no open link that was made before, and no login by one. */
  const ENDS: Readonly<Record<string, (user: MadeUser, manager: MadeUser) => Call>> = {
    'a new password': (user) => ({
      method: 'POST',
      path: `/v1${pathOf(user)}/changepassword`,
      hash: user.client.hash,
      body: { oldPassword: PASSWORD, password: 'Another-Passw0rd' },
    }),
    'the end of all logins': (user, manager) => ({
      method: 'DELETE',
      path: `/v1${pathOf(user)}/logins`,
      hash: manager.client.hash,
    }),
    'a disabled user': (user, manager) => ({
      method: 'POST',
      path: `/v1${pathOf(user)}/actions`,
      hash: manager.client.hash,
      body: { type: 'disable' },
    }),
  };

  it.each(Object.entries(ENDS))('leave no login that is older than %s', async (_, ending) => {
    for (let round = 0; round < ROUNDS; round++) {
      const { plain, custadmin } = await makeCustomer(service);
      await newKey();
      const links = [];
      for (let made = 0; made < 10; made++) links.push(await makeLink(key, plain));
      const calls = links.map(({ token }) => using(token));
      calls.splice(round % 10, 0, ending(plain, custadmin));
      await atOnce(calls);
      expect(await loginsByLinks(plain)).toEqual([]);
      expect(await openLinksOf(plain)).toEqual([]);
    }
  });

  it('wait for another password that is being stored, and log in by none that is older', async () => {
    const { plain } = await makeCustomer(service);
    const links = [];
    for (let made = 0; made < 4; made++) links.push(await makeLink(key, plain));
    await using beside = await transactionBeside(service);
    await beside.query(`UPDATE users SET password_hash = password_hash || '.' WHERE id = $1`, [plain.id]);
    const used = atOnce(links.map(({ token }) => using(token)));
    await untilBlocked(service, used, links.length);
    await beside.query('COMMIT');
    expect((await used).map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(await loginsByLinks(plain)).toEqual([]);
  });

  it('never outlive their key', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { plain } = await makeCustomer(service);
      const keyId = await newKey();
      await makeLink(key, plain);
      const calls = Array.from({ length: 9 }, () => making(plain));
      calls.splice(round % 9, 0, {
        method: 'DELETE',
        path: `/v1/organisations/1/servicekeys/${keyId}`,
        hash: admin.hash,
      });
      const responses = await atOnce(calls);
      responses.splice(round % 9, 1);
      for (const { status } of responses) expect([201, 401]).toContain(status);
      expect(await openLinksOf(plain)).toEqual([]);
    }
  });

  it('of billing log a customer in a hundred times, while the customer changes the password', async () => {
    const { plain } = await makeCustomer(service);
    const keys = [await makeLinkKey(service), await makeLinkKey(service)];
    const later: { readonly change: number; readonly hash: string }[] = [];
    let changes = 0;
    /** Asks for a link and uses it, as often as it is told. The password may change in between. */
    const billing = async ({ client }: { client: ApiClient }, times: number): Promise<number> => {
      let refused = 0;
      for (let time = 0; time < times; time++) {
        const before = changes;
        const { token } = await makeLink(client, plain);
        const { status, text } = await (wires[time % 2] as Wire).send(using(token));
        if (status === 200) later.push({ change: before, hash: (JSON.parse(text) as { hash: string }).hash });
        else refused += 1;
        expect([200, 401]).toContain(status);
      }
      return refused;
    };
    let isOver = false;
    const customer = async (): Promise<void> => {
      let own = plain.client;
      for (let password = PASSWORD; !isOver; changes += 1) {
        const next = `Passw0rd-${changes + 2}`;
        await own
          .post(`${pathOf(plain)}/changepassword`, { oldPassword: password, password: next })
          .expect(200);
        password = next;
        own = plain.client;
      }
    };
    const changing = customer();
    const refusals = await Promise.all([...keys, ...keys].map((maker) => billing(maker, 25)));
    isOver = true;
    await changing;
    expect(changes).toBeGreaterThan(2);
    expect(later.length + refusals.reduce((sum, one) => sum + one)).toBe(100);
    // A login that began before the last change has ended with it, whether billing made it or not.
    const live = new Set<string>();
    for (const { hash } of later) {
      const { status } = await new ApiClient(service.url, hash).get('/whoami');
      if (status === 200) live.add(hash);
    }
    const stale = later.filter(({ change, hash }) => change < changes - 1 && live.has(hash));
    expect(stale).toEqual([]);
  });
});
