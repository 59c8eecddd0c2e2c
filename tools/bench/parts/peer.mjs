import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute } from '../../../scripts/run.mjs';
import { createDatabase, withClient } from './database.mjs';
import { comparisonOf, loadInTurns } from './load.mjs';
import { seed } from './seed.mjs';
import { ADMIN, logIn } from './service.mjs';
import { atLeast } from './table.mjs';

export const measures = [measurePeer];

const PEER = join(import.meta.dirname, '../peer');
/** No dependency of the project: installed only by this part. */
const INSTALLED = join(import.meta.dirname, '../../../node_modules/.cache/bench-peer');
const ORGANISATIONS = 1000;
/** Of the caller's organisation, the caller among them: a page of ours. */
const USERS = 5;

/** What the same caller asks of both, and where each answer has the users, where it has some. */
const READS = {
  'who am I: whoami, get-session': {
    service: () => '/v1/whoami',
    peer: '/get-session',
  },
  'the users of my organisation: …/users, list-members': {
    service: (organisation) => `/v1/organisations/${organisation}/users`,
    peer: '/organization/list-members',
    usersOf: { service: ({ users }) => users, peer: ({ members }) => members },
  },
  'my organisation with its users: /organisations/{id}, get-full-organization': {
    service: (organisation) => `/v1/organisations/${organisation}`,
    peer: '/organization/get-full-organization',
    usersOf: { service: ({ organisation }) => organisation.users, peer: ({ members }) => members },
  },
};

/**
 * The service against better-auth, a library for the same kind of work, with as many organisations and users: session →
 * organisation → its members. Variant B, which shows an organisation with its users. Ours does more on the way (the tree, roles, whitelists, audit, metrics) and shows more fields.
 */
async function measurePeer(stage) {
  const problem = await installPeer();
  if (problem !== undefined) return [{ skipped: `better-auth could not be installed: ${problem}` }];
  const service = await seedService(stage);
  const peer = await seedPeer(stage);
  const rows = [];
  for (const [request, read] of Object.entries(READS)) {
    const targets = [
      { ...service.target, url: `${service.url}${read.service(service.organisation)}` },
      { ...peer.target, url: `${peer.url}/api/auth${read.peer}` },
    ];
    if (read.usersOf !== undefined) await assertUsers(targets, read.usersOf);
    const results = await loadInTurns(targets, stage.postgres.pid);
    const comparison = comparisonOf(['service', 'better-auth'], results);
    rows.push(atLeast({ request, ...comparison }, comparison.ratio, 1));
  }
  return rows;
}

/** Gives the first line of what went wrong. */
async function installPeer() {
  const lockFile = 'package-lock.json';
  const wanted = readFileSync(join(PEER, lockFile), 'utf8');
  const isInstalled =
    existsSync(join(INSTALLED, 'node_modules/.package-lock.json')) &&
    readFileSync(join(INSTALLED, lockFile), 'utf8') === wanted;
  cpSync(PEER, INSTALLED, { recursive: true });
  if (isInstalled) return undefined;
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=0', '--loglevel=error'];
  const { status, output } = await execute('npm', ['ci', ...options], { cwd: INSTALLED, collect: true });
  return status === 0 ? undefined : output.trim().split('\n')[0];
}

async function seedService(stage) {
  const databaseUrl = await stage.database('bench_peer_ours');
  const service = await stage.service(databaseUrl, { API_VARIANT: 'B' });
  const { user } = await seed(databaseUrl, ORGANISATIONS);
  await withClient(databaseUrl, async (client) => {
    await client.query(`UPDATE users SET roles = '{ROLE_CUSTADMIN}' WHERE id = $1`, [user.id]);
    await client.query(
      `INSERT INTO users (organisation_id, username, first_name, last_name, password_hash)
       SELECT organisation_id, 'more' || n || '@bench.example', first_name, last_name, password_hash
       FROM users, generate_series(2, ${USERS}) n WHERE id = $1`,
      [user.id],
    );
    await client.query('VACUUM ANALYZE');
  });
  const hash = await logIn(service.url, { username: user.username, password: ADMIN.password });
  return { ...service, organisation: user.organisation_id, target: { hash, pid: service.pid } };
}

async function seedPeer(stage) {
  const databaseUrl = await createDatabase(stage.postgres.url, 'bench_peer_theirs');
  const peer = await stage.server(join(INSTALLED, 'server.mjs'), databaseUrl);
  const send = async (path, body, cookie) => {
    const response = await fetch(`${peer.url}/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: peer.url, ...(cookie && { cookie }) },
      body: JSON.stringify(body),
    });
    if (response.status !== 200)
      throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response;
  };
  const signedUp = await send('/sign-up/email', {
    email: 'caller@bench.example',
    password: ADMIN.password,
    name: 'Jan de Vries',
  });
  const cookie = signedUp.headers.getSetCookie()[0].split(';')[0];
  const created = await send('/organization/create', { name: 'Customer', slug: 'customer' }, cookie);
  await fillPeer(databaseUrl, (await created.json()).id);
  return { ...peer, target: { cookie, pid: peer.pid } };
}

/** The other organisations, each with a user, and the other users of the caller's organisation. */
const fillPeer = (databaseUrl, organisation) =>
  withClient(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO organization (id, name, slug, "createdAt")
       SELECT 'organisation' || n, 'Customer ' || md5(n::text), 'customer' || n, now() FROM generate_series(2, ${ORGANISATIONS}) n`,
    );
    const lastUser = ORGANISATIONS + USERS - 1;
    await client.query(
      `INSERT INTO "user" (id, name, email, "emailVerified")
       SELECT 'user' || n, 'Jan de Vries', 'user' || n || '@bench.example', true FROM generate_series(2, ${lastUser}) n`,
    );
    await client.query(
      `INSERT INTO member (id, "organizationId", "userId", role, "createdAt")
       SELECT 'member' || n, CASE WHEN n <= ${ORGANISATIONS} THEN 'organisation' || n ELSE $1 END, 'user' || n, 'member', now()
       FROM generate_series(2, ${lastUser}) n`,
      [organisation],
    );
    await client.query('VACUUM ANALYZE');
  });

/** The comparison holds only if both show the same number of users. */
async function assertUsers([service, peer], usersOf) {
  for (const [side, { url, hash, cookie }] of Object.entries({ service, peer })) {
    const response = await fetch(url, { headers: hash === undefined ? { cookie } : { authorization: hash } });
    const users = usersOf[side](await response.json());
    if (users?.length !== USERS) throw new Error(`${url} shows ${users?.length} users instead of ${USERS}`);
  }
}
