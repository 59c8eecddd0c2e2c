import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Customer,
  makeCustomer,
  makeOrganisation,
  makeUser,
  PASSWORD,
} from '../support/factories/factories';
import { makeServiceKey, newPublicKey } from '../support/factories/key-factories';
import { countingPasskey } from '../support/factories/passkey-factories';
import { makeContact, makeTeam, register } from '../support/factories/records';
import { storeAuthenticator } from '../support/factories/two-factor-factories';
import { commandsOf, ROOT, runSamples } from '../support/generators/samples';
import { anonymous, asAdmin } from '../support/service/client';
import { connectTo, runStatement } from '../support/service/databases';
import { useFiles } from '../support/service/files';
import { startTestService, type TestService, useService } from '../support/service/service';

// Blocks of pages with the names of an example: each runs with the names of a record that is there.

const files = useFiles();
const service = useService('A', { settings: { dataDir: files.path('.data') } });

let customer: Customer;
let admin: string | undefined;
beforeAll(async () => {
  customer = await makeCustomer(service);
  admin = (await asAdmin(service)).hash;
});

/** Texts of the block, and what stands there instead. */
type Names = Readonly<Record<string, string | number | undefined>>;

/** Runs the block of a page that holds these words, on the service, with other names; gives its output. */
async function run(
  page: string,
  words: string,
  names: Names,
  { url, database }: Pick<TestService, 'url' | 'database'> = service,
): Promise<string> {
  const commands = Object.entries(names).reduce(
    (text, [name, instead]) => {
      if (!text.includes(name)) throw new Error(`The block of ${page} lacks ${name}`);
      return text.replaceAll(name, String(instead));
    },
    commandsOf(page, words),
  );
  const [output = ''] = await runSamples(
    [
      {
        page,
        commands: commands.replaceAll('https://account.example.com', url),
        shown: [],
        notRun: undefined,
        runBy: undefined,
      },
    ],
    { folder: files.folder, serviceUrl: url, databaseUrl: database.url },
  );
  return output;
}

const bodyOf = (output: string): Record<string, unknown> =>
  JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as Record<string, unknown>;

describe('docs/helping-people.md', () => {
  const PAGE = 'docs/helping-people.md';

  it('cli user set-password sets a new password', async () => {
    const { username } = await makeUser(service, customer);
    const output = await run(PAGE, 'user set-password', { 'jan@example.com': username });
    const [password] = /A1-[0-9a-f]{24}/.exec(output) ?? [];
    await anonymous(service).post('/login', { username, password }).expect(200);
  });

  it('cli user disable-2fa removes a lost second factor', async () => {
    const { id, username } = await makeUser(service, customer);
    await storeAuthenticator(service, id);
    await run(PAGE, 'user disable-2fa', { 'jan@example.com': username });
    const left = await service.sql`SELECT 1 FROM users WHERE id = ${id} AND totp_secret IS NOT NULL`;
    expect(left).toEqual([]);
  });

  it('cli user unlock unlocks a user at an address', async () => {
    const { username } = await makeUser(service, customer);
    const logIn = (password: string) => anonymous(service).post('/login', { username, password });
    for (let guess = 0; guess < 10; guess++) await logIn('wrong').expect(401);
    await logIn(PASSWORD).expect(429);
    await run(PAGE, 'user unlock', { 'jan@example.com': username, '198.51.100.7': '127.0.0.1' });
    await logIn(PASSWORD).expect(200);
  });

  it('cli user enable enables a user', async () => {
    const { id, username } = await makeUser(service, { ...customer, enabled: false });
    await run(PAGE, 'user enable', { 'jan@example.com': username });
    expect(await service.sql`SELECT enabled FROM users WHERE id = ${id}`).toEqual([{ enabled: true }]);
  });

  it('cli doctor --mail sends a test mail', async () => {
    const output = await run(PAGE, 'doctor --mail', { 'you@example.com': 'me@example.com' });
    expect(output).toMatch(/^mail +ok +wrote a test mail/m);
  });

  it('cli create-admin makes an admin', async () => {
    const username = `${randomUUID()}@operator.example`;
    await run(PAGE, 'create-admin', { 'you@operator.example': username });
    expect(await service.sql`SELECT enabled FROM users WHERE username = ${username}`).toEqual([
      { enabled: true },
    ]);
  });

  it('PUT …/supportaccess says what support logins may do', async () => {
    const { organisationId, custadmin } = customer;
    await run(PAGE, '/supportaccess', {
      $HASH: custadmin.client.hash,
      'organisations/12': `organisations/${organisationId}`,
    });
    const { body } = await custadmin.client.get(`/organisations/${organisationId}/supportaccess`).expect(200);
    expect(body).toMatchObject({ access: 'none' });
  });

  it('POST …/supportlogins makes a support login', async () => {
    const { organisationId, plain } = await makeCustomer(service);
    const staff = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
    const passkeyId = await countingPasskey(service, staff.id);
    await service.sql`UPDATE logins SET passkey_id = ${passkeyId} WHERE user_id = ${staff.id}`;
    const output = await run(PAGE, '/supportlogins', {
      $HASH: staff.client.hash,
      'organisations/12/users/34': `organisations/${organisationId}/users/${plain.id}`,
    });
    expect(bodyOf(output)).toMatchObject({
      supportLogin: { write: false, hash: expect.any(String) as string },
    });
  });

  it('GET …/access lists who has access', async () => {
    const { organisationId, custadmin } = customer;
    const output = await run(PAGE, '/access?limit=0', {
      $HASH: custadmin.client.hash,
      'organisations/12': `organisations/${organisationId}`,
    });
    expect(output).toContain(custadmin.username);
  });
});

describe('docs/other-services.md', () => {
  const PAGE = 'docs/other-services.md';

  it('POST …/servicekeys makes a key for POST /access/introspect', async () => {
    const made = await run(PAGE, '/servicekeys', { $ADMIN_HASH: admin, '192.0.2.10': '127.0.0.1' });
    const { hash } = (bodyOf(made) as { serviceKey: { hash: string } }).serviceKey;
    const { custadmin } = customer;
    const told = await run(PAGE, '/introspect', { $SERVICE_KEY: hash, $HASH: custadmin.client.hash });
    expect(bodyOf(told)).toMatchObject({ active: true, username: custadmin.username });
  });

  it('GET …/authorizedkeys gives sshd the keys of a machine, and the script keeps them while the service is away', async () => {
    const { organisationId, plain } = customer;
    const [systemId, comment] = [78_000, 'plain@desk'];
    await register(service, {
      kind: 'system',
      id: systemId,
      name: 'web',
      organisationId,
      domains: undefined,
    });
    const teamId = await makeTeam(service, organisationId, { userIds: [plain.id] });
    await service.sql`UPDATE teams SET auto_add_sshkey = true WHERE id = ${teamId}`;
    await service.sql`INSERT INTO team_entities (team_id, kind, object_id) VALUES (${teamId}, 'systems', ${systemId})`;
    const content = newPublicKey(comment);
    await plain.client
      .post(`/organisations/${organisationId}/users/${plain.id}/sshkeys`, { content })
      .expect(201);
    const key = await makeServiceKey(service, 1, { operations: ['systems.authorizedKeys'], beneath: true });
    mkdirSync(files.path('cache'));
    const names = {
      '/var/cache/account-keys': files.path('cache'),
      '/etc/account/key': files.write('key', `Authorization: ${key.client.hash}\n`),
      'system=78': `system=${systemId}`,
      'exit 0': '',
    };
    const shown = `${content.replace(` ${comment}`, '')} user:${plain.id}\n`;
    expect(await run(PAGE, 'authorizedkeys', names)).toBe(shown);
    expect(
      await run(PAGE, 'authorizedkeys', names, { url: 'http://127.0.0.1:1', database: service.database }),
    ).toBe(shown);
  });
});

describe('docs/writing-clients.md', () => {
  const PAGE = 'docs/writing-clients.md';

  it('POST …/invitations with Idempotency-Key makes an invitation once', async () => {
    const { organisationId, custadmin } = customer;
    const names = {
      $HASH: custadmin.client.hash,
      'organisations/7': `organisations/${organisationId}`,
      '$(node -p "crypto.randomUUID()")': randomUUID(),
    };
    const [first, second] = [await run(PAGE, 'KEY=', names), await run(PAGE, 'KEY=', names)];
    expect(first).toContain('201 Created');
    expect(first).not.toMatch(/idempotency-replayed/i);
    expect(second).toMatch(/201 Created[^]*^Idempotency-Replayed: true/im);
    expect(bodyOf(second)).toEqual(bodyOf(first));
  });

  it('PUT …/contacts/{contactId} with If-Match changes a contact that nobody else has changed', async () => {
    const { organisationId, plain } = customer;
    const id = await makeContact(service, { organisationId, userId: plain.id });
    await service.sql`UPDATE contacts SET version = 3 WHERE id = ${id}`;
    const output = await run(PAGE, 'CONTACT=', {
      $HASH: plain.client.hash,
      'organisations/2203/users/7/contacts/12': `organisations/${organisationId}/users/${plain.id}/contacts/${id}`,
    });
    expect(output.match(/HTTP\/1\.1 \d+|^ETag: .*\d/gm)).toEqual([
      'HTTP/1.1 200',
      'ETag: "3',
      'HTTP/1.1 204',
      'ETag: "4',
    ]);
  });
});

it('docs/brands.md: PUT …/brand gives a reseller a brand', async () => {
  const reseller = await makeOrganisation(service, { isReseller: true });
  const ofReseller = await makeOrganisation(service, { resellerId: reseller });
  const output = await run('docs/brands.md', '/brand', {
    $URL: service.url,
    $HASH: admin,
    'organisations/12/': `organisations/${reseller}/`,
    'organisations/4711/': `organisations/${ofReseller}/`,
  });
  expect(output).toContain('"name":"Kantoor Hosting"');
});

it('docs/events.md: GET …/events reads on from where a program was', async () => {
  const { organisationId, custadmin } = customer;
  await custadmin.client.patch(`/organisations/${organisationId}/users/${custadmin.id}`, {
    username: custadmin.username,
    firstName: 'Anna',
    lastName: 'Smit',
  });
  const key = await makeServiceKey(service, organisationId, { operations: ['events.list'] });
  const output = await run('docs/events.md', '/events?limit', {
    $URL: service.url,
    $KEY: key.client.hash,
    $AFTER: '0',
    'organisations/3': `organisations/${organisationId}`,
  });
  expect(bodyOf(output.replace(/#.*/, ''))).toMatchObject({
    events: expect.arrayContaining([expect.objectContaining({ type: 'users.updated' })]) as object[],
  });
});

it('docs/qa.md: POST /testClock lets a day pass', async () => {
  await using clocked = await startTestService('A', { settings: { testClock: true } });
  const hash = (await asAdmin(clocked)).hash;
  const output = await run(
    'docs/qa.md',
    '/testClock',
    { $HASH: hash, '# on a folder or database that is empty': '' },
    clocked,
  );
  expect(output).not.toContain('code');
  expect(await clocked.sql`SELECT moved_seconds::integer AS seconds FROM test_clock`).toEqual([
    { seconds: 86_400 },
  ]);
});

/** jq is no package of npm. */
(spawnSync('jq', ['--version']).status === 0 ? it : it.skip)(
  'docs/audit.md: cli audit --json becomes events of OCSF',
  async () => {
    const { username } = await makeUser(service, customer);
    await anonymous(service).post('/login', { username, password: PASSWORD }).expect(200);
    const output = await run('docs/audit.md', 'class_uid', {});
    const events = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(events).toContainEqual(
      expect.objectContaining({ class_uid: 3002, activity_id: 1, type_uid: 300201, category_uid: 3 }),
    );
  },
);

describe('docs/database.md', () => {
  it('cli person erasures lists who was erased, and after-restore --erasures takes the list', async () => {
    await using fresh = await startTestService('A');
    await run('docs/database.md', 'person erasures', { '/backup': files.folder }, fresh);
    const [list = ''] = readdirSync(files.folder).filter((name) => name.startsWith('erasures-'));
    expect(readFileSync(files.path(list), 'utf8')).toMatch(/^userId,/);
    const names = { '/backup/erasures-….csv': `${files.path(list)} --yes` };
    const output = await run('docs/database.md', 'after-restore', names, fresh);
    expect(output).toContain('The schema is up to date');
    expect(output).toContain('Everything agrees');
  });
});

it('docs/operations.md and docs/audit.md: postgres-role.sh and postgres-service-role.sql make the roles of the service', async () => {
  const server = process.env['TEST_SERVER_URL'] ?? '';
  const name = `role_${randomUUID().slice(0, 8)}`;
  try {
    await run('docs/operations.md', 'postgres-role.sh', {
      'export ACCOUNT_PASSWORD': `export ACCOUNT_ROLE=${name} ACCOUNT_DATABASE=${name} ACCOUNT_PASSWORD`,
      'deploy/postgres-role.sh': `${ROOT}/deploy/postgres-role.sh`,
      'postgres://postgres@db.internal': `'${server}'`,
    });
    const roles = readFileSync(join(ROOT, 'deploy/postgres-service-role.sql'), 'utf8')
      .replaceAll('account_service', `${name}_service`)
      .replaceAll('DATABASE account', `DATABASE ${name}`)
      .replaceAll('ROLE account ', `ROLE ${name} `);
    const ofService = new URL(server);
    ofService.pathname = name;
    const refused = await run('docs/audit.md', 'postgres-service-role.sql', {
      $SUPERUSER_URL: ofService.href,
      'deploy/postgres-service-role.sql': files.write('service-role.sql', roles),
    });
    expect(refused).not.toMatch(/error/i);
    const client = await connectTo(server);
    const { rows } = await client.query(
      'SELECT rolsuper FROM pg_roles r JOIN pg_database d ON d.datdba = r.oid WHERE rolname = $1 AND datname = $1',
      [name],
    );
    await client.end();
    expect(rows).toEqual([{ rolsuper: false }]);
  } finally {
    await runStatement(server, `DROP DATABASE IF EXISTS ${name}`);
    await runStatement(server, `DROP ROLE IF EXISTS ${name}, ${name}_service`);
  }
});
