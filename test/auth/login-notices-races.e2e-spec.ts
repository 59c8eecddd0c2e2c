import { LoginEndings } from '@app/sign-in/login-notices/login-endings';
import { type MadeUser, makeCustomer, PASSWORD } from '../support/factories/factories';
import { useMailServer } from '../support/faults/smtp';
import { atOnce } from '../support/service/at-once';
import { auditRows } from '../support/service/audit';
import { anonymous, ApiClient } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { type TestService, useServices } from '../support/service/service';
import { makeOlder } from '../support/service/time';
import { NEIGHBOUR } from '../support/service/variants';

const HOME = '192.0.2.10';
/** Two nodes on one database. */
const mailServer = useMailServer();
const nodes = useServices(['A', NEIGHBOUR], () => ({
  settings: {
    smtpUrl: mailServer.url,
    trustedProxies: ['127.0.0.1'],
    publicUrl: 'https://api.example',
  },
}));
beforeEach(() => nodes[0].sql`DELETE FROM attempts`);

const nodeOf = (index: number): TestService => nodes[index % 2 === 0 ? 0 : 1];

async function logIn(node: TestService, { username }: MadeUser, address: string): Promise<ApiClient> {
  const { body } = await anonymous(node)
    .post('/login', { username, password: PASSWORD })
    .set('X-Forwarded-For', address)
    .expect(200);
  return new ApiClient(node.url, (body as { hash: string }).hash);
}

const makePlain = async (): Promise<MadeUser> => (await makeCustomer(nodes[0])).plain;

/** The tokens of the mails to a user about logins. */
async function tokensTo({ username }: MadeUser): Promise<string[]> {
  await runJobs(nodes[0]);
  return mailServer.mails
    .filter(({ to }) => to.includes(username))
    .flatMap(({ text }) => /end-login\/([0-9a-f]{64})/.exec(text)?.[1] ?? []);
}

it('POST /login: 16 first logins at once from one network are told to nobody', async () => {
  const user = await makePlain();
  await atOnce(16, (index) => logIn(nodeOf(index), user, `192.0.2.${index + 1}`));
  expect(await tokensTo(user)).toEqual([]);
});

it('POST /login: 16 logins at once from one new network are told once', async () => {
  for (let round = 0; round < 3; round++) {
    const user = await makePlain();
    await logIn(nodes[0], user, HOME);
    await atOnce(16, (index) => logIn(nodeOf(index), user, `198.51.100.${index + 1}`));
    expect(await tokensTo(user)).toHaveLength(1);
    await makeOlder(nodes[0], 'known_networks', { user_id: user.id }, '31 days', ['last_login_at']);
    await makeOlder(nodes[0], 'login_notices', { user_id: user.id }, '31 days', ['logged_in_at']);
    await atOnce(16, (index) => logIn(nodeOf(index), user, `198.51.100.${index + 1}`));
    expect(await tokensTo(user)).toHaveLength(2);
  }
});

it('POST /login: of 16 first logins at once from 16 networks one is told to nobody', async () => {
  const user = await makePlain();
  await atOnce(16, (index) => logIn(nodeOf(index), user, `10.1.${index}.1`));
  expect(await tokensTo(user)).toHaveLength(15);
});

it('POST /login: logins at once from 32 new networks are all told', async () => {
  const user = await makePlain();
  await logIn(nodes[0], user, HOME);
  await Promise.all([
    atOnce(16, (index) => logIn(nodeOf(index), user, `10.2.${index}.1`)),
    atOnce(16, (index) => logIn(nodeOf(index), user, `10.3.${index}.1`)),
  ]);
  expect(await tokensTo(user)).toHaveLength(32);
});

it('16 uses of one link end its login once, on every node', async () => {
  const user = await makePlain();
  const home = await logIn(nodes[0], user, HOME);
  const client = await logIn(nodes[1], user, '198.51.100.1');
  const [token = ''] = await tokensTo(user);
  const ended = await atOnce(16, (index) =>
    nodeOf(index).app.get(LoginEndings, { strict: false }).end(token),
  );
  expect(ended.filter(Boolean)).toEqual([true]);
  const deletions = `table_name = 'logins' AND action = 'delete' AND actor_user_id = $1`;
  expect(await auditRows(nodes[0], deletions, [user.id])).toHaveLength(1);
  for (const node of nodes) await new ApiClient(node.url, client.hash).get('/whoami').expect(401);
  await home.get('/whoami').expect(200);
});
