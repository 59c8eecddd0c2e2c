import { readFileSync, statSync } from 'node:fs';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { makeCustomer, makeUser, PASSWORD } from '../support/factories/factories';
import { BYSTANDER, PLANTED_TEXTS, plantPerson } from '../support/factories/planted-person';
import { placesOf } from '../support/generators/database-search';
import { type CliResult, runCli } from '../support/service/cli';
import { anonymous } from '../support/service/client';
import { backUpOf, createTestDatabase, type TestDatabase } from '../support/service/databases';
import { useFiles } from '../support/service/files';
import { startTestService, type TestService } from '../support/service/service';
import { useOneHour } from '../support/service/time';

useOneHour();

const files = useFiles();
const LOOK_ALIKES = Object.values(BYSTANDER);
const now = (): string => new Date().toISOString();

let original: TestDatabase;
let restored: TestDatabase | undefined;
let service: TestService;

beforeEach(async () => {
  original = await createTestDatabase();
  service = await start(original);
});
afterEach(async () => {
  await service.stop();
  await restored?.drop();
  await original.drop();
  restored = undefined;
});

const start = (database: TestDatabase): Promise<TestService> =>
  startTestService('A', { database, settings: { trustedProxies: ['127.0.0.1'] } });

const cli = (...args: string[]): Promise<CliResult> => runCli(service.database, args);
const erase = (id: number, ...flags: string[]): Promise<CliResult> =>
  cli('person', 'erase', '--id', String(id), '--yes', ...flags);
const afterRestore = (file: string, ...flags: string[]): Promise<CliResult> =>
  cli('after-restore', '--yes', '--erasures', file, ...flags);

/** The service goes on with the original database. */
async function backUp(): Promise<void> {
  await service.stop();
  restored = await backUpOf(original);
  service = await start(original);
}

/** Loses the original database. */
async function restore(): Promise<void> {
  await service.stop();
  if (restored === undefined) throw new Error('There is no backup');
  service = await start(restored);
}

async function exported(name: string): Promise<string> {
  const file = files.path(name);
  expect(await cli('person', 'erasures', '--export', file)).toMatchObject({ exitCode: 0, messages: [] });
  return file;
}

const idsOf = (reports: unknown): number[] =>
  (reports as { userId: number }[]).map(({ userId }) => userId).sort((one, other) => one - other);

// The command line runs a dozen times.
it('cli after-restore --erasures erases again whom a backup brings back, nobody else, and gives nobody the id of an erased user', async () => {
  const { person, bystander, organisationId } = await plantPerson(service);
  const before = await makeUser(service, { organisationId, firstName: 'Already', lastName: 'Erased' });
  await erase(before.id);
  // The planted notifications have no states of their deliveries.
  await cli('verify', '--fix');
  await backUp();
  const since = await makeUser(service, { organisationId });
  await erase(since.id);
  await erase(person.id);
  const written = await exported('erasures.csv');
  const csv = readFileSync(written, 'utf8');
  const rows = csv
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
  expect(csv.split('\n')[0]).toBe('userId,erasedAt');
  expect(rows.map(([id]) => Number(id))).toEqual(
    [person.id, before.id, since.id].sort((one, other) => one - other),
  );
  for (const [, time = ''] of rows) expect(new Date(time).toISOString()).toBe(time);
  expect(statSync(written).mode & 0o777).toBe(0o600);

  // A user far beyond the ids of the backup.
  const far = 500_000;
  const list = files.write('newest.csv', `${csv}${far},2026-01-31T00:00:00.000Z\n`);
  await restore();
  const found = (await placesOf(service, PLANTED_TEXTS)).join('\n');
  for (const text of PLANTED_TEXTS) expect(found).toContain(`: ${text}`);
  const otherUsers = () =>
    service.sql`SELECT to_jsonb(u) - 'version' AS row FROM users u
      WHERE id NOT IN (${person.id}, ${before.id}) ORDER BY id`;
  const others = await otherUsers();
  const { exitCode, report, messages } = await afterRestore(list, '--json');
  expect({ exitCode, messages }).toEqual({ exitCode: 0, messages: [] });
  const told = report['erasures'] as Record<string, unknown>;
  expect(told).toMatchObject({ erasedAlready: [before.id], unknown: [since.id, far], notErased: [] });
  expect(idsOf(told['erasedAgain'])).toEqual([person.id]);
  expect(await placesOf(service, PLANTED_TEXTS, LOOK_ALIKES)).toEqual([]);
  expect(await otherUsers()).toEqual(others);
  expect(JSON.stringify(others)).toContain(bystander.username);
  const again = await afterRestore(list);
  expect(again).toMatchObject({ exitCode: 0 });
  expect(again.output).toContain(
    `Erased 0 users again; 2 were erased in the backup\nUsers of the list that this database has never had: ${since.id}, ${far}\n`,
  );

  // The restored database has the same list, and no new user gets an id that is on it.
  expect(readFileSync(await exported('erasures-later.csv'), 'utf8')).toBe(readFileSync(list, 'utf8'));
  expect((await makeUser(service, { organisationId })).id).toBeGreaterThan(far);
}, 300_000);

it('cli after-restore --erasures exits with 3 and does not erase a user who is newer than the erasure of its id', async () => {
  const { organisationId } = await makeCustomer(service);
  await backUp();
  const erased = await makeUser(service, { organisationId });
  await erase(erased.id);
  const list = await exported('same-day.csv');
  await restore();
  // The service ran on the restored database before anybody read the list.
  const heir = await makeUser(service, { organisationId });
  expect(heir.id).toBe(erased.id);
  const { exitCode, messages } = await afterRestore(list, '--json');
  expect(exitCode).toBe(3);
  expect(messages).toEqual([
    expect.stringMatching(new RegExp(`^user ${heir.id} was not erased: the user is newer`)),
  ]);
  expect(await service.sql`SELECT username, deleted_at FROM users WHERE id = ${heir.id}`).toEqual([
    { username: heir.username, deleted_at: null },
  ]);
});

it('cli after-restore --erasures names the last admin, whom it cannot erase, and erases the others', async () => {
  const { organisationId, plain } = await makeCustomer(service);
  const [admin] = await service.sql<{ id: number }>`SELECT id FROM users WHERE 'ROLE_ADMIN' = ANY (roles)`;
  const somebody = await makeUser(service, { organisationId });
  const list = files.write(
    'named.csv',
    `userId,erasedAt\n${admin?.id},${now()}\n${plain.id},${now()}\n${somebody.id},2026-01-31T12:00:00.000Z\n`,
  );
  const asked = await runCli(service.database, ['after-restore', '--erasures', list], { input: 'no\n' });
  expect(asked).toMatchObject({ exitCode: 1, output: '' });
  expect(asked.messages[0]).toContain('and erases 3 users again');
  const { exitCode, messages, report } = await afterRestore(list, '--json');
  expect(exitCode).toBe(3);
  expect(messages).toEqual([
    expect.stringMatching(new RegExp(`^user ${somebody.id} was not erased: the user is newer`)),
    expect.stringMatching(new RegExp(`^user ${admin?.id} was not erased: .*last enabled admin`)),
  ]);
  const told = report['erasures'] as Record<string, unknown>;
  expect(idsOf(told['erasedAgain'])).toEqual([plain.id]);
  expect(idsOf(told['notErased'])).toEqual(idsOf([{ userId: admin?.id }, { userId: somebody.id }]));
  expect(
    await service.sql`SELECT username FROM users WHERE id IN (${somebody.id}, ${plain.id}) ORDER BY id`,
  ).toEqual(
    [
      { id: plain.id, username: `erased-${plain.id}` },
      { id: somebody.id, username: somebody.username },
    ]
      .sort((one, other) => one.id - other.id)
      .map(({ username }) => ({ username })),
  );
});

it('cli after-restore --erasures exits with 2 where it cannot read the list, and changes nothing', async () => {
  const { plain } = await makeCustomer(service);
  const TIME = '2026-01-31T12:00:00.000Z';
  const lists = {
    'no header': `5,${TIME}\n`,
    'no time': 'userId,erasedAt\n5,2026-02-30T12:00:00.000Z\n',
    'a day alone': 'userId,erasedAt\n5,2026-01-31\n',
    'no id': `userId,erasedAt\nx,${TIME}\n`,
    'an id beyond those of users': `userId,erasedAt\n2000000001,${TIME}\n`,
    'an id twice': `userId,erasedAt\n5,${TIME}\n5,${TIME}\n`,
  };
  const refusals = await Promise.all(
    Object.entries(lists).map(async ([what, content]) => {
      const { exitCode, output } = await afterRestore(files.write(`${what}.csv`, content));
      return { what, exitCode, output };
    }),
  );
  expect(refusals).toEqual(Object.keys(lists).map((what) => ({ what, exitCode: 2, output: '' })));
  await plain.client.get('/whoami').expect(200);
});

it("cli person export has of others' rows the time, the kind and the id alone", async () => {
  const { organisationId, custadmin } = await makeCustomer(service);
  const names = { firstName: 'Keepfirst', lastName: 'Keeplast' };
  const email = 'keepme@priv.example';
  await custadmin.client
    .post(`/organisations/${organisationId}/invitations`, { ...names, email })
    .expect(201);
  const [{ id: inviationId }] = (await service.sql<{
    id: number;
  }>`SELECT id FROM invitations WHERE email = ${email}
    AND organisation_id = ${organisationId}`) as [{ id: number }];
  const token = newSecret();
  await service.sql`UPDATE invitations SET token_digest = ${digestOf(token)} WHERE id = ${inviationId}`;
  const body = { email, organisationId, inviationId, password: PASSWORD };
  const { body: made } = await anonymous(service).post(`/registerInvitation/${token}`, body).expect(201);
  const { id } = (made as { user: { id: number } }).user;
  await custadmin.client
    .post(`/organisations/${organisationId}/users/${id}/contacts`, {
      type: 'phone',
      name: '+32470554433',
    })
    .expect(201);
  const { output } = await cli('person', 'export', '--id', String(custadmin.id));
  for (const text of [email, names.firstName, names.lastName, '32470554433'])
    expect(output).not.toContain(text);
  const { parts } = JSON.parse(output) as { parts: Record<string, { records: Record<string, unknown>[] }> };
  const caused = (parts['notifications']?.records ?? []).filter(({ aboutPerson }) => aboutPerson === false);
  expect(caused.length).toBeGreaterThan(1);
  for (const row of caused) {
    expect(row).toMatchObject({ causedByPerson: true, entityName: null, subject: null, params: null });
    expect(row).toMatchObject({ id: expect.any(Number) as number, type: expect.any(String) as string });
    expect(Object.keys(row)).toContain('createdAt');
  }
  const { output: own } = await cli('person', 'export', '--id', String(id));
  expect(own).toContain(`${names.firstName} ${names.lastName}`);
  expect(own).toContain('32470554433');
});
