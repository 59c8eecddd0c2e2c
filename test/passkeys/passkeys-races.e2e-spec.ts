import { Client } from 'pg';
import { type MadeUser, makeCustomer } from '../support/factories/factories';
import {
  makePasskey,
  PasskeyPage,
  passkeysOf,
  passSecondFactor,
  storePasskey,
} from '../support/factories/passkey-factories';
import { atOnce } from '../support/service/at-once';
import { anonymous } from '../support/service/client';
import { type TestService, useServices } from '../support/service/service';

const ROUNDS = 5;
const statuses = (responses: readonly { readonly status: number }[]): number[] =>
  responses.map(({ status }) => status).sort();

/** Two nodes on one database. */
const nodes = useServices(['A', 'A']);
beforeEach(() => nodes[0].sql`DELETE FROM attempts`);

const nodeOf = (index: number): TestService => nodes[index % 2 === 0 ? 0 : 1];
const makePlain = async (): Promise<MadeUser> => (await makeCustomer(nodes[0])).plain;
const count = async (table: string, { id }: MadeUser, condition = 'true'): Promise<number> => {
  const [row] = await nodes[0].sql<{ count: number }>(
    `SELECT count(*)::integer FROM ${table} WHERE user_id = $1 AND ${condition}`,
    [id],
  );
  return row?.count ?? 0;
};

it('POST /login/passkey: of 16 with one response of an authenticator one passes', async () => {
  const user = await makePlain();
  const page = await makePasskey(nodes[0], user);
  for (let round = 1; round <= ROUNDS; round++) {
    await nodes[0].sql`DELETE FROM attempts`;
    const credential = page.authenticator.get(await page.requestOptions());
    const responses = await atOnce(16, (index) =>
      anonymous(nodeOf(index)).post('/login/passkey', { credential }),
    );
    // The others have no open challenge, which locks nothing.
    expect(statuses(responses)).toEqual([200, ...Array<number>(15).fill(401)]);
    expect(await count('logins', user, 'passkey_id IS NOT NULL')).toBe(round);
  }
});

it('POST /login/passkey: of 16 copies of a passkey, all with one counter, one passes, and the user is told of those that count', async () => {
  const user = await makePlain();
  const page = await makePasskey(nodes[0], user);
  const options = await atOnce(16, () => page.requestOptions());
  const responses = await atOnce(16, (index) =>
    anonymous(nodeOf(index)).post('/login/passkey', {
      credential: page.authenticator.get(options[index] as (typeof options)[number], { counter: 5 }),
    }),
  );
  expect(statuses(responses)).toEqual([200, ...Array<number>(10).fill(401), ...Array<number>(5).fill(429)]);
  expect(await count('logins', user, 'passkey_id IS NOT NULL')).toBe(1);
  const told = await nodes[0].sql`SELECT 1 FROM notifications
    WHERE about_user_id = ${user.id} AND type = 'counter_back'`;
  expect(told).toHaveLength(10);
});

it('POST /login/passkey: 16 right logins at once all pass and count as no guesses', async () => {
  const pages = await atOnce(16, async () => makePasskey(nodes[0], await makePlain()));
  const responses = await atOnce(16, async (index) => (pages[index] as PasskeyPage).logIn());
  expect(statuses(responses)).toEqual(Array<number>(16).fill(200));
});

it('POST …/passkeys: of 16 registrations of one passkey one is stored', async () => {
  const user = await makePlain();
  const page = new PasskeyPage(nodes[0]);
  const credential = page.authenticator.create(await page.creationOptions(user));
  const responses = await atOnce(16, () => user.client.post(passkeysOf(user), { name: 'Phone', credential }));
  expect(statuses(responses)).toEqual([201, ...Array<number>(15).fill(400)]);
  expect(await count('passkeys', user)).toBe(1);
});

it('POST …/passkeys/options: 16 at once leave five challenges, each good for one passkey', async () => {
  const user = await makePlain();
  // Whoever has a passkey adds others with a login that has passed one (rule passkeys 31).
  await storePasskey(nodes[0], user.id);
  await passSecondFactor(nodes[0], user.id);
  const page = new PasskeyPage(nodes[0]);
  const options = await atOnce(16, () => page.creationOptions(user));
  expect(await count('passkey_challenges', user)).toBe(5);
  const responses = await atOnce(16, (index) => {
    const { authenticator } = new PasskeyPage(nodes[0]);
    const credential = authenticator.create(options[index] as (typeof options)[number]);
    return user.client.post(passkeysOf(user), { name: 'Phone', credential });
  });
  expect(statuses(responses)).toEqual([...Array<number>(5).fill(201), ...Array<number>(11).fill(400)]);
});

it('POST …/passkeys: of 16 of one user at once ten are stored, the next is 400', async () => {
  const user = await makePlain();
  // Each user has five open challenges: these stand for sixteen that were asked for one after the other.
  const rows = Array.from({ length: 16 }, (_, index) => [user.id, `name ${index}`, Buffer.from([index, 1])]);
  const clients = rows.map(() => new Client({ connectionString: nodes[0].database.url }));
  await Promise.all(clients.map((client) => client.connect()));
  const inserted = await Promise.allSettled(
    clients.map((client, index) =>
      client.query(
        `INSERT INTO passkeys (user_id, name, credential_id, public_key, counter, backed_up, backup_eligible, rp_id)
         VALUES ($1, $2, $3, '\\x01', 0, false, false, 'example.com')`,
        rows[index],
      ),
    ),
  );
  await Promise.all(clients.map((client) => client.end()));
  expect(inserted.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  await passSecondFactor(nodes[0], user.id);
  const { status, body } = await new PasskeyPage(nodes[0]).register(user);
  expect([status, body]).toMatchObject([
    400,
    { reason: 'LIMIT_REACHED', message: 'A user has at most 10 passkeys.' },
  ]);
  expect(await count('passkeys', user)).toBe(10);
});

it('DELETE …/passkeys: of 16 removals of the last two where a second factor is demanded, one is kept', async () => {
  const { plain, organisationId } = await makeCustomer(nodes[0]);
  const first = await makePasskey(nodes[0], plain);
  await passSecondFactor(nodes[0], plain.id);
  const made = [first, await makePasskey(nodes[0], plain)];
  await nodes[0].sql`UPDATE organisations SET required_2fa = true WHERE id = ${organisationId}`;
  const responses = await atOnce(16, (index) =>
    plain.client.delete(`${passkeysOf(plain)}/${made[index % 2]?.passkey.id}`),
  );
  expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
  expect(await count('passkeys', plain)).toBe(1);
});
