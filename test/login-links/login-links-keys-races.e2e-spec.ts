import { type MadeUser, makeCustomer } from '../support/factories/factories';
import { LOCAL, makeLink, makeLinkKey } from '../support/factories/login-links-factories';
import { giveSecondFactor } from '../support/factories/two-factor-factories';
import { pathOf } from '../support/factories/users-factories';
import { transactionBeside, untilItWaits } from '../support/faults/locks';
import { type Call, Wire, type WireResponse } from '../support/generators/access-calls';
import { type ApiClient, asAdmin } from '../support/service/client';
import { useServices } from '../support/service/service';
import { NEIGHBOUR } from '../support/service/variants';

const ROUNDS = 10;

const FIELDS = { name: 'Billing', operations: ['loginlinks.create'], whitelist: LOCAL };

/** Ends the links that are there. A request that was let in before makes one all the same. */
const WHITELIST = 'gets another whitelist';

/** Requests that end the links of a key. Their paths follow that of the key. */
const REQUESTS: Readonly<Record<string, Omit<Call, 'hash'>>> = {
  [WHITELIST]: { method: 'PUT', path: '', body: { ...FIELDS, whitelist: ['192.0.2.7'] } },
  'may make links no more': { method: 'PUT', path: '', body: { ...FIELDS, operations: ['users.read'] } },
  'is deleted': { method: 'DELETE', path: '' },
  'is replaced at once': { method: 'POST', path: '/rotate', body: { oldKeyHours: 0 } },
};

/** Statements that end the key $1 for links. */
const ENDING: Readonly<Record<string, string>> = {
  'may make links no more': `UPDATE service_keys SET operations = '{users.read}' WHERE id = $1`,
  'is deleted': 'DELETE FROM service_keys WHERE id = $1',
  expires: 'UPDATE service_keys SET expires_at = now() WHERE id = $1',
};

/** Statements that end the links of the key $1. */
const STATEMENTS: Readonly<Record<string, string>> = {
  ...ENDING,
  [WHITELIST]: `UPDATE service_keys SET whitelist = '{192.0.2.7}' WHERE id = $1`,
};

describe('POST …/loginlinks: login links whose key changes at the same time', () => {
  const [service, other] = useServices(['A', NEIGHBOUR], { settings: { databasePool: 20 } });
  let wires: readonly Wire[];
  let admin: ApiClient;
  beforeAll(async () => {
    wires = [new Wire(service.url), new Wire(other.url)];
    admin = await asAdmin(service);
  });
  afterAll(() => {
    for (const wire of wires) wire.close();
  });
  /** An organisation has fifty keys. */
  beforeEach(async () => {
    await service.sql`DELETE FROM service_keys`;
  });

  /** Half of them by one process, half by the other. */
  async function atOnce(calls: readonly Call[]): Promise<WireResponse[]> {
    const responses = await Promise.all(calls.map((call, index) => (wires[index % 2] as Wire).send(call)));
    expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
    return responses;
  }

  const making = (user: MadeUser, key: ApiClient): Call => ({
    method: 'POST',
    path: `/v1${pathOf(user)}/loginlinks`,
    hash: key.hash,
    body: {},
  });

  const using = (token: string): Call => ({ method: 'POST', path: '/v1/login/link', body: { token } });

  const ending = (end: string, keyId: number): Call => {
    const call = REQUESTS[end] as Omit<Call, 'hash'>;
    return { ...call, path: `/v1/organisations/1/servicekeys/${keyId}${call.path}`, hash: admin.hash };
  };

  const openLinksOf = ({ id }: MadeUser) =>
    service.sql`SELECT id FROM login_links WHERE user_id = ${id} AND used_at IS NULL AND ended_at IS NULL`;

  const tokenOf = ({ text }: WireResponse): string =>
    (JSON.parse(text) as { loginLink: { token: string } }).loginLink.token;

  const ENDS = Object.keys(REQUESTS).filter((end) => end !== WHITELIST);

  it.each(ENDS)('let nobody in later if they were made while it %s', async (end) => {
    for (let round = 0; round < ROUNDS; round++) {
      const { plain } = await makeCustomer(service);
      const { id, client: key } = await makeLinkKey(service);
      const calls = Array.from({ length: 9 }, () => making(plain, key));
      calls.splice(round % 9, 0, ending(end, id));
      const responses = await atOnce(calls);
      const [ended] = responses.splice(round % 9, 1);
      expect(ended?.status).toBeLessThan(300);
      const tokens = responses.filter(({ status }) => status === 201).map(tokenOf);
      for (const { status } of responses) expect([201, 401, 403]).toContain(status);
      expect(await openLinksOf(plain)).toEqual([]);
      for (const { status } of await atOnce(tokens.map(using))) expect(status).toBe(401);
    }
  });

  it.each(Object.keys(REQUESTS))(
    'leave no login, and let nobody in later, if they are used while it %s',
    async (end) => {
      for (let round = 0; round < ROUNDS; round++) {
        const { plain } = await makeCustomer(service);
        const { id, client: key } = await makeLinkKey(service);
        const tokens: string[] = [];
        for (let made = 0; made < 6; made++) tokens.push((await makeLink(key, plain)).token);
        const calls = tokens.map(using);
        calls.splice(round % 6, 0, ending(end, id));
        const used = await atOnce(calls);
        used.splice(round % 6, 1);
        for (const { status } of used) expect([200, 401]).toContain(status);
        const logins = await service.sql`
        SELECT id FROM logins WHERE user_id = ${plain.id} AND service_key_name IS NOT NULL`;
        expect(logins).toEqual([]);
        expect(await openLinksOf(plain)).toEqual([]);
        for (const { status } of await atOnce(tokens.map(using))) expect(status).toBe(401);
      }
    },
  );

  it.each(Object.entries(ENDING))('are not made by one that %s before they are there', async (_, sql) => {
    const { plain } = await makeCustomer(service);
    const { id, client: key } = await makeLinkKey(service);
    await sentDuring(id, sql, making(plain, key), [401, 403]);
    expect(await openLinksOf(plain)).toEqual([]);
  });

  it.each(Object.entries(STATEMENTS))('log nobody in if it %s before they are used', async (_, sql) => {
    const { plain } = await makeCustomer(service);
    const { id, client: key } = await makeLinkKey(service);
    const { token } = await makeLink(key, plain);
    await sentDuring(id, sql, using(token), [401]);
    expect(await openLinksOf(plain)).toEqual([]);
  });

  it.each(Object.entries(STATEMENTS))('that a code was refused at end too if it %s', async (_, sql) => {
    const { plain } = await makeCustomer(service);
    await giveSecondFactor(service, plain.id);
    const { id, client: key } = await makeLinkKey(service);
    const { token } = await makeLink(key, plain);
    await sentDuring(id, sql, using(token), [401]);
    expect(await openLinksOf(plain)).toEqual([]);
  });

  /** Sends the call while the statement has ended the key and is not committed. */
  async function sentDuring(
    keyId: number,
    sql: string,
    call: Call,
    statuses: readonly number[],
  ): Promise<void> {
    await using beside = await transactionBeside(service);
    await beside.query(sql, [keyId]);
    const sent = (wires[0] as Wire).send(call);
    await untilItWaits(beside, sent);
    await beside.query('COMMIT');
    expect(statuses).toContain((await sent).status);
  }
});
