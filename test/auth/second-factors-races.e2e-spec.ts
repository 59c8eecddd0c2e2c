import { type MadeUser, makeCustomer, makeUser, PASSWORD } from '../support/factories/factories';
import { makePasskey, passkeyClient, PasskeyPage, passkeysOf } from '../support/factories/passkey-factories';
import {
  Device,
  makeTwoFactorUser,
  MovableClock,
  showSecret,
} from '../support/factories/two-factor-factories';
import { notificationsAbout } from '../support/factories/user-notifications';
import { pathOf } from '../support/factories/users-factories';
import { transactionBeside, untilWaiting } from '../support/faults/locks';
import { useMailServer } from '../support/faults/smtp';
import { atOnce } from '../support/service/at-once';
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
const nodeOf = (index: number): TestService => nodes[index % 2 === 0 ? 0 : 1];
const makePlain = async (): Promise<MadeUser> => (await makeCustomer(nodes[0])).plain;
const count = async (type: string, user: MadeUser): Promise<number> =>
  (await notificationsAbout(nodes[0], user)).filter((told) => told === type).length;

beforeEach(() => nodes[0].sql`DELETE FROM attempts`);

it('POST /activate2fa: 16 with one code are told once, and leave one login', async () => {
  const user = await makePlain();
  const secret = await showSecret(nodes[0], user.username);
  const code = clock.code(secret);
  const answers = await atOnce(16, (index) =>
    new Device(nodeOf(index), user.username).activate({ '6digitCode': code }),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await count('User.2fa_enabled', user)).toBe(1);
  expect(await nodes[0].sql`SELECT 1 FROM logins WHERE user_id = ${user.id}`).toHaveLength(1);
});

it('POST /login: 16 wrong codes at once are told once: the tenth alone tells', async () => {
  const user = await makeTwoFactorUser(nodes[0], clock, {
    organisationId: (await makeCustomer(nodes[0])).organisationId,
  });
  const wrong = { '6digitCode': clock.wrongCode(user.secret) };
  const answers = await atOnce(16, (index) => new Device(nodeOf(index), user.username).login(wrong));
  expect(statuses(answers)).toEqual([...Array<number>(10).fill(401), ...Array<number>(6).fill(429)]);
  expect(await count('User.codes_guessed', user)).toBe(1);
});

it('POST …/passkeys: of first passkeys that a login without a second factor adds at once one comes', async () => {
  const user = await makePlain();
  const made: object[] = [];
  // A user has five open challenges.
  for (let at = 0; at < 5; at++) {
    const page = new PasskeyPage(nodeOf(at));
    made.push(page.authenticator.create(await page.creationOptions(user)));
  }
  const answers = await atOnce(5, (index) =>
    new ApiClient(nodeOf(index).url, user.client.hash).post(passkeysOf(user), {
      name: 'Phone',
      credential: made[index],
    }),
  );
  expect(statuses(answers)).toEqual([201, 403, 403, 403, 403]);
  expect(await nodes[0].sql`SELECT 1 FROM passkeys WHERE user_id = ${user.id}`).toHaveLength(1);
});

it('DELETE …/passkeys: 16 of one passkey at once are told once', async () => {
  const user = await makePlain();
  const page = await makePasskey(nodes[0], user);
  const { hash } = await passkeyClient(nodes[0], page);
  const path = `${passkeysOf(user)}/${page.passkey.id}`;
  const answers = await atOnce(16, (index) => new ApiClient(nodeOf(index).url, hash).delete(path));
  expect(statuses(answers)).toEqual([204, ...Array<number>(15).fill(404)]);
  expect(await count('Passkey.removed', user)).toBe(1);
});

it('PATCH …/enable2fa: a login with a passkey that ends on the way sets no authenticator up', async () => {
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

it('POST …/supportlogins: one that begins while the last second factor of its staff member goes does not stay', async () => {
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
