import { readFileSync, statSync } from 'node:fs';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { makeDocument } from '../support/factories/documents-factories';
import {
  type MadeUser,
  makeCustomer,
  makeOrganisation,
  makeUser,
  PASSWORD,
} from '../support/factories/factories';
import { makeInvitation } from '../support/factories/invitations-factories';
import { makeServiceKey } from '../support/factories/key-factories';
import { BYSTANDER, PLANTED, PLANTED_TEXTS, plantPerson } from '../support/factories/planted-person';
import { makeContact } from '../support/factories/records';
import { pathOf } from '../support/factories/users-factories';
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
const today = (): string => new Date().toISOString().slice(0, 10);

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
it('erases again whom a restored backup brings back, and gives nobody the id of an erased user', async () => {
  const { person, organisationId } = await plantPerson(service);
  const document = await makeDocument(service, organisationId, {
    name: `Invoice of ${PLANTED.contact}`,
    xml: Buffer.from(`<?xml version="1.0"?>\n<Invoice>${PLANTED.contact}</Invoice>\n`),
  });
  const before = await makeUser(service, { organisationId, firstName: 'Already', lastName: 'Erased' });
  await erase(before.id);
  // The planted notifications have no states of their deliveries.
  await cli('verify', '--fix');
  await backUp();
  const since = await makeUser(service, { organisationId });
  await erase(since.id);
  const first = await erase(person.id);
  expect(first.output).toContain(
    `A name or an address remains in documents ${document} (name), organisation ${organisationId}`,
  );
  const written = await exported('erasures.csv');
  const ids = [person.id, before.id, since.id].sort((one, other) => one - other);
  const csv = `userId,erasedOn\n${ids.map((id) => `${id},${today()}\n`).join('')}`;
  expect(readFileSync(written, 'utf8')).toBe(csv);
  expect(statSync(written).mode & 0o777).toBe(0o600);

  // A user far beyond the ids of the backup.
  const far = 500_000;
  const list = files.write('newest.csv', `${csv}${far},2026-01-31\n`);
  await restore();
  const found = (await placesOf(service, PLANTED_TEXTS)).join('\n');
  for (const text of PLANTED_TEXTS) expect(found).toContain(`: ${text}`);
  const { exitCode, report, messages } = await afterRestore(list, '--json');
  expect({ exitCode, messages }).toEqual({ exitCode: 0, messages: [] });
  const told = report['erasures'] as Record<string, unknown>;
  expect(told).toMatchObject({ erasedAlready: [before.id], unknown: [since.id, far], notErased: [] });
  expect(idsOf(told['erasedAgain'])).toEqual([person.id]);
  expect(told['erasedAgain']).toMatchObject([
    { stillNaming: [{ table: 'documents', records: [{ id: document, organisationId, fields: ['name'] }] }] },
  ]);
  // The document is the organisation's: whoever erases is told.
  expect(await placesOf(service, PLANTED_TEXTS, LOOK_ALIKES)).toEqual([
    `public.document_pieces.bytes: ${PLANTED.contact}`,
    `public.documents.name: ${PLANTED.contact}`,
  ]);
  await service.sql`DELETE FROM document_pieces WHERE document_id = ${document}`;
  await service.sql`DELETE FROM documents WHERE id = ${document}`;
  expect((await afterRestore(list)).output).toContain(
    `Erased 1 users again; 1 were erased in the backup\nUsers of the list that this database has never had: ${since.id}, ${far}\n`,
  );
  expect(await placesOf(service, PLANTED_TEXTS, LOOK_ALIKES)).toEqual([]);

  // The restored database has the same list, and no new user gets an id that is on it.
  expect(readFileSync(await exported('erasures-later.csv'), 'utf8')).toBe(readFileSync(list, 'utf8'));
  expect((await makeUser(service, { organisationId })).id).toBeGreaterThan(far);
  const row = `id,organisationId,username,firstName,lastName,passwordHash\n${far},${organisationId},new@example.com,A,B,$1$Zp3kWq81$tVo2jkEj/paZhLGHi4q4q.\n`;
  expect(await cli('import-users', files.write('users.csv', row))).toMatchObject({
    exitCode: 3,
    messages: [expect.stringContaining('id')],
  });
}, 300_000);

it('names whom it cannot erase, and erases the others', async () => {
  const { organisationId, plain } = await makeCustomer(service);
  const [admin] = await service.sql<{ id: number }>`SELECT id FROM users WHERE 'ROLE_ADMIN' = ANY (roles)`;
  const somebody = await makeUser(service, { organisationId });
  await service.sql`UPDATE users SET created_at = now() + interval '2 days' WHERE id = ${somebody.id}`;
  const list = files.write(
    'named.csv',
    `userId,erasedOn\n${admin?.id},2026-01-31\n${plain.id},${today()}\n${somebody.id},${today()}\n`,
  );
  // Both were there on the day of their erasure, the third user was not.
  await service.sql`UPDATE users SET created_at = '2025-01-01' WHERE id = ${admin?.id}`;
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

it('refuses a list that it cannot read before it changes anything', async () => {
  const { plain } = await makeCustomer(service);
  const lists = {
    'no header': '5,2026-01-31\n',
    'no day': 'userId,erasedOn\n5,2026-02-30\n',
    'no id': 'userId,erasedOn\nx,2026-01-31\n',
    'an id beyond those of users': 'userId,erasedOn\n2000000001,2026-01-31\n',
    'an id twice': 'userId,erasedOn\n5,2026-01-31\n5,2026-01-31\n',
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

it('certifies an erasure without naming the person', async () => {
  const { person, organisationId } = await plantPerson(service);
  const elsewhere = await makeOrganisation(service);
  await service.sql`UPDATE contacts SET user_id = NULL WHERE name = ${PLANTED.contact}`;
  await service.sql`UPDATE organisations SET information = ${PLANTED.username} WHERE id = ${elsewhere}`;
  const certificate = files.path('certificate.txt');
  expect(await erase(person.id, '--dry-run', '--certificate', certificate)).toMatchObject({ exitCode: 2 });
  const taken = files.write('taken.txt', '');
  expect(await erase(person.id, '--certificate', taken)).toMatchObject({
    exitCode: 1,
    messages: [`error: ${taken} exists already`],
  });
  await person.client.get('/whoami').expect(200);
  expect(await erase(person.id, '--certificate', certificate)).toMatchObject({ exitCode: 0 });
  const text = readFileSync(certificate, 'utf8');
  for (const planted of PLANTED_TEXTS) expect(text.toLowerCase()).not.toContain(planted.toLowerCase());
  expect(statSync(certificate).mode & 0o777).toBe(0o600);
  expect(text).toContain(`User ${person.id} of organisation ${organisationId}\nFirst erased on ${today()}`);
  expect(text).toMatch(/\n {2}users: 1 emptied\n/);
  expect(text).toMatch(/somebody else also has \(contacts \d+, organisation \d+\)/);
  expect(text).toContain(`remains in organisations ${elsewhere} (information)`);

  // A second run has its own day, and the day of the first.
  await service.sql`UPDATE erasures SET erased_on = '2026-01-31'`;
  await erase(person.id, '--certificate', files.path('second.txt'));
  expect(readFileSync(files.path('second.txt'), 'utf8')).toContain(
    `First erased on 2026-01-31 (UTC)\nThis run ended on ${today()} (UTC)`,
  );
});

/** rule privacy 6: somebody else's contact keeps nothing of a person. */
describe('an address and a name that somebody else has too', () => {
  const names = { firstName: 'Keepfirst', lastName: 'Keeplast' };
  const email = 'keepme@priv.example';

  async function register(organisationId: number, custadmin: MadeUser): Promise<number> {
    await custadmin.client
      .post(`/organisations/${organisationId}/invitations`, { ...names, email })
      .expect(201);
    const [{ id }] = (await service.sql<{ id: number }>`SELECT id FROM invitations WHERE email = ${email}
      AND organisation_id = ${organisationId}`) as [{ id: number }];
    const token = newSecret();
    await service.sql`UPDATE invitations SET token_digest = ${digestOf(token)} WHERE id = ${id}`;
    const body = { email, organisationId, inviationId: id, password: PASSWORD };
    const { body: made } = await anonymous(service).post(`/registerInvitation/${token}`, body).expect(201);
    return (made as { user: { id: number } }).user.id;
  }

  it('keeps nothing that is the person by its record: invitation, news, recipients, audit', async () => {
    const { organisationId, custadmin } = await makeCustomer(service);
    const id = await register(organisationId, custadmin);
    const stranger = await makeCustomer(service);
    await stranger.plain.client
      .post(`${pathOf(stranger.plain)}/contacts`, { type: 'email', name: email })
      .expect(201);
    const { report } = await erase(id, '--json');
    expect(report).toMatchObject({ shared: [email], sharedWith: [{ table: 'contacts' }] });
    expect(await placesOf(service, [names.firstName, names.lastName], [])).toEqual([]);
    const [audited] = await service.sql`SELECT count(*)::integer AS rows FROM audit_log
      WHERE table_name = 'invitations' AND (before::text || after::text) ~* 'keep'`;
    expect(audited).toEqual({ rows: 0 });
    // What is left is the contact of the other, and what tells of it: the report names each row.
    const { stillNaming } = report as unknown as {
      stillNaming: { table: string; rows: number; records: object[] }[];
    };
    const places = await placesOf(service, [email]);
    const left = new Set(
      places.map((place) => place.split('.').slice(0, 2).join('.').replace('public.', '')),
    );
    const named = stillNaming.map(({ table }) => table.replace('_private_', ''));
    expect([...left].sort()).toEqual([...new Set(['contacts', ...named])].sort());
    for (const { rows, records } of stillNaming) expect(records).toHaveLength(rows);
  });

  it('names each row that stays in report and certificate, by shared words and by names in two columns too', async () => {
    const { organisationId, custadmin } = await makeCustomer(service);
    const id = await register(organisationId, custadmin);
    const { custadmin: other, organisationId: elsewhere } = await makeCustomer(service);
    await makeContact(service, { organisationId: elsewhere, name: email, groups: [] });
    const invited = await makeInvitation(service, {
      ...names,
      organisationId: elsewhere,
      inviterId: other.id,
      email: 'another@priv.example',
    });
    const { id: key } = await makeServiceKey(service, elsewhere, { name: `Robot of ${email}` });
    const file = files.path('remaining.txt');
    const { output } = await erase(id, '--certificate', file);
    const certificate = readFileSync(file, 'utf8');
    for (const text of [output, certificate]) {
      expect(text).toContain(
        `remains in invitations ${invited.id} (first_name, last_name), organisation ${elsewhere}`,
      );
      expect(text).toContain(`remains in service_keys ${key} (name), organisation ${elsewhere}`);
    }
    for (const word of [email, names.firstName, names.lastName])
      expect(certificate.toLowerCase()).not.toContain(word.toLowerCase());
  });

  it("exports of others' rows the time, the kind and the id", async () => {
    const { organisationId, custadmin } = await makeCustomer(service);
    const id = await register(organisationId, custadmin);
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
});
