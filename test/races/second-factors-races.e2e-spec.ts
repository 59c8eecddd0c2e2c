import { activateAsThief, FactorLinkPages, newsAbout } from '../support/factories/factor-links-factories';
import { type MadeUser, makeCustomer, makeUser, PASSWORD } from '../support/factories/factories';
import { makePasskey, passkeyClient, PasskeyPage, passkeysOf } from '../support/factories/passkey-factories';
import {
  Device,
  makeTwoFactorUser,
  MovableClock,
  showSecret,
} from '../support/factories/two-factor-factories';
import { pathOf } from '../support/factories/users-factories';
import { transactionBeside, untilWaiting } from '../support/faults/locks';
import { useMailServer } from '../support/faults/smtp';
import { atOnce } from '../support/service/at-once';
import { auditRows } from '../support/service/audit';
import { anonymous, ApiClient } from '../support/service/client';
import { type TestService, useServices } from '../support/service/service';

const statuses = (responses: readonly { readonly status: number }[]): number[] =>
  responses.map(({ status }) => status).sort();

/** Two nodes on one database. */
const mailServer = useMailServer();
const nodes = useServices(['A', 'A'], () => ({
  settings: { smtpUrl: mailServer.url, publicUrl: 'https://api.example' },
}));
let clock: MovableClock;
beforeAll(() => {
  clock = new MovableClock(...nodes);
});
const pages = (node: TestService): FactorLinkPages => new FactorLinkPages(node, mailServer);
const nodeOf = (index: number): TestService => nodes[index % 2 === 0 ? 0 : 1];
const makePlain = async (): Promise<MadeUser> => (await makeCustomer(nodes[0])).plain;
const count = async (type: string, user: MadeUser): Promise<number> =>
  (await newsAbout(nodes[0], user)).filter((told) => told === type).length;

beforeEach(() => nodes[0].sql`DELETE FROM attempts`);

it('16 uses of one link switch its authenticator off once, on every node', async () => {
  for (let round = 0; round < 3; round++) {
    const user = await makePlain();
    const thief = await activateAsThief(nodes[0], clock, user);
    const token = await pages(nodes[0]).tokenTo(user);
    const answers = await atOnce(16, (index) => pages(nodeOf(index)).send(token));
    expect(statuses(answers)).toEqual([200, ...Array<number>(15).fill(400)]);
    expect(await count('User.2fa_disabled', user)).toBe(1);
    expect(
      await auditRows(
        nodes[0],
        `table_name = 'users' AND actor_credential_kind = 'second_factor_link' AND record_id = $1`,
        [user.id],
      ),
    ).toHaveLength(1);
    for (const node of nodes) await new ApiClient(node.url, thief.hash).get('/whoami').expect(401);
  }
});

it('16 activations with one code are told once, and leave one login and one link', async () => {
  const user = await makePlain();
  const secret = await showSecret(nodes[0], user.username);
  const code = clock.code(secret);
  const answers = await atOnce(16, (index) =>
    new Device(nodeOf(index), user.username).activate({ '6digitCode': code }),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await count('User.2fa_enabled', user)).toBe(1);
  expect(await nodes[0].sql`SELECT 1 FROM second_factor_links WHERE user_id = ${user.id}`).toHaveLength(1);
  expect(await nodes[0].sql`SELECT 1 FROM logins WHERE user_id = ${user.id}`).toHaveLength(1);
});

it('16 wrong codes at once are told once: the tenth alone tells', async () => {
  const user = await makeTwoFactorUser(nodes[0], clock, {
    organisationId: (await makeCustomer(nodes[0])).organisationId,
  });
  const wrong = { '6digitCode': clock.wrongCode(user.secret) };
  const answers = await atOnce(16, (index) => new Device(nodeOf(index), user.username).login(wrong));
  expect(statuses(answers)).toEqual([...Array<number>(10).fill(401), ...Array<number>(6).fill(429)]);
  expect(await count('User.codes_guessed', user)).toBe(1);
});

it('of 16 first passkeys that a password adds at once one counts', async () => {
  const user = await makePlain();
  const answers = [];
  // A user has five open challenges.
  for (let round = 0; round < 2; round++) {
    const made = [];
    for (let at = 0; at < 5; at++) {
      const page = new PasskeyPage(nodeOf(at));
      made.push(page.authenticator.create(await page.creationOptions(user)));
    }
    answers.push(
      ...(await Promise.all(
        made.map((credential, index) =>
          new ApiClient(nodeOf(index).url, user.client.hash).post(passkeysOf(user), {
            name: 'Phone',
            credential,
          }),
        ),
      )),
    );
  }
  expect(statuses(answers)).toEqual(Array<number>(10).fill(201));
  expect(
    await nodes[0].sql`SELECT 1 FROM passkeys WHERE user_id = ${user.id} AND counts_from <= now()`,
  ).toHaveLength(1);
});

it('16 deletions by a password are told once, and a link that keeps the passkey races with its end', async () => {
  const user = await makePlain();
  const page = await makePasskey(nodes[0], user);
  const path = `${passkeysOf(user)}/${page.passkey.id}`;
  const answers = await atOnce(16, (index) =>
    new ApiClient(nodeOf(index).url, user.client.hash).delete(path),
  );
  expect(statuses(answers)).toEqual(Array<number>(16).fill(204));
  expect(await count('Passkey.removal_begun', user)).toBe(1);
  const token = await pages(nodes[0]).tokenTo(user);
  const kept = await atOnce(16, (index) => pages(nodeOf(index)).send(token));
  expect(statuses(kept)).toEqual([200, ...Array<number>(15).fill(400)]);
  expect((await page.logIn()).status).toBe(200);
});

it('a login with a passkey that ends on the way sets no authenticator up', async () => {
  const user = await makePlain();
  const page = await makePasskey(nodes[0], user);
  const client = await passkeyClient(nodes[0], page);
  await using holder = await transactionBeside(nodes[0]);
  await holder.query('DELETE FROM logins WHERE user_id = $1', [user.id]);
  const shown = anonymous(nodes[0])
    .post('/enable2faandget2fasecret', { username: user.username, password: PASSWORD })
    .set('Authorization', client.hash ?? '')
    .then(({ status }) => status);
  await untilWaiting(nodes[0], 1);
  await holder.query('COMMIT');
  expect(await shown).toBe(401);
});

it('a support login that begins while the last second factor of its staff member goes does not stay', async () => {
  const staff = await makeUser(nodes[0], { organisationId: 1, roles: ['ROLE_ADMIN'] });
  const page = await makePasskey(nodes[0], staff);
  const user = await makePlain();
  const client = await passkeyClient(nodes[0], page);
  await using holder = await transactionBeside(nodes[0]);
  await holder.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [staff.id]);
  await holder.query('DELETE FROM passkeys WHERE id = $1', [page.passkey.id]);
  const begun = client
    .post(`${pathOf(user)}/supportlogins`, { reason: 'Ticket 1' })
    .then(({ status }) => status);
  await untilWaiting(nodes[0], 1);
  await holder.query('COMMIT');
  expect(await begun).not.toBe(201);
  expect(await nodes[0].sql`SELECT 1 FROM logins WHERE staff_id = ${staff.id}`).toEqual([]);
});
