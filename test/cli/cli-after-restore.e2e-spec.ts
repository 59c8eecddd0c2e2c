import { JOB_TABLE, TASK_TABLE } from '@app/platform/jobs/job-tables';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { makeDocument, makeLink } from '../support/factories/documents-factories';
import {
  type MadeUser,
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
  PASSWORD,
} from '../support/factories/factories';
import { makeApiKey } from '../support/factories/key-factories';
import { storeLink } from '../support/factories/login-links-factories';
import { makeContact, makeMail, makeNotification, makeTeam } from '../support/factories/records';
import { useMailServer } from '../support/faults/smtp';
import { type CliOptions, type CliResult, runCli } from '../support/service/cli';
import { anonymous, ApiClient, loggedIn } from '../support/service/client';
import { backUpOf, createTestDatabase, type TestDatabase } from '../support/service/databases';
import { runJobs } from '../support/service/jobs';
import { startTestService, type TestService } from '../support/service/service';
import { letExpire } from '../support/service/time';

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

const NEW_PASSWORD = 'Nieuw-Wachtw00rd';

let original: TestDatabase;
let service: TestService;
let restored: TestDatabase;

const start = (database: TestDatabase): Promise<TestService> =>
  startTestService('A', { database, settings: { smtpUrl: mailServer.url } });

const afterRestore = (flags: readonly string[], options?: CliOptions): Promise<CliResult> =>
  runCli(restored, ['after-restore', ...flags], options);

async function backUp(): Promise<TestDatabase> {
  await service.stop();
  return backUpOf(original);
}

/** A token of the table, valid for a day. */
async function openToken(table: string, columns: string, user: MadeUser, values: string): Promise<string> {
  const token = newSecret();
  await service.sql(
    `INSERT INTO ${table} (user_id, token_digest, expires_at, ${columns})
     VALUES ($1, $2, now() + interval '1 day', ${values})`,
    [user.id, digestOf(token)],
  );
  return token;
}

const mailServer = useMailServer();
beforeEach(async () => {
  original = await createTestDatabase();
  service = await start(original);
});
afterEach(async () => {
  await service.stop().catch(() => undefined);
  await restored.drop();
  await original.drop();
});

it('cli after-restore ends logins, mailed links and trusted devices, and lists what stays and which mails may go out twice', async () => {
  const { organisationId, plain, custadmin } = await makeCustomer(service);
  const keyed = await makeUser(service, { organisationId });
  const key = (await makeApiKey(service, keyed.id)).client.hash;
  const reset = await openToken(
    'recovery_requests',
    'username, code_digest, code_expires_at',
    plain,
    `'old@example.com', '\\x00', now() + interval '15 minutes'`,
  );
  const link = await openToken('recovery_requests', 'kind, username', plain, `'name', 'new@example.com'`);
  await service.sql(
    `INSERT INTO trusted_devices (user_id, digest, user_agent, address, expires_at)
     VALUES ($1, '\\x00', 'x', '127.0.0.1', now() + interval '1 day')`,
    [plain.id],
  );
  // Mails that wait: an invitation, a recovery mail with its link, a wish for another, a
  // delivery, one that is locked.
  await custadmin.client
    .post(`/organisations/${organisationId}/invitations`, {
      email: 'new@example.com',
      firstName: 'A',
      lastName: 'B',
    })
    .expect(201);
  const notification = await makeNotification(service, { organisationId });
  const [recipient] = await service.sql<{ id: number }>(
    `INSERT INTO notification_recipients (notification_id, full_name, language, type, value, status, hash, queued_at)
     VALUES ($1, 'x', 'nl', 'email', 'told@example.com', 'queued', gen_random_uuid(), now()) RETURNING id`,
    [notification],
  );
  await service.sql(`SELECT graphile_worker.add_job('mail.send', $1::json)`, [
    JSON.stringify({ source: 'recipient', id: recipient?.id }),
  ]);
  await makeMail(service, { template: 'reset', address: plain.username });
  await anonymous(service).post('/resetting/send_email', { username: keyed.username }).expect(204);
  await service.sql(`SELECT graphile_worker.add_job('suspensions.notifyBeneath', $1)`, [
    JSON.stringify({ kind: 'disabled', organisationId: plain.organisationId, after: 0 }),
  ]);
  await service.sql(
    `UPDATE ${JOB_TABLE} SET locked_at = now(), locked_by = 'worker-of-the-backup', attempts = 1
     WHERE task_id = (SELECT id FROM ${TASK_TABLE} WHERE identifier = 'mail.release')`,
  );
  const grantee = await makeOrganisation(service);
  await makeGrant(service, organisationId, grantee);
  await service.sql`INSERT INTO suspensions (organisation_id, itself, beneath, reason, by_user_id, by_organisation_id)
     VALUES (${grantee}, true, false, 'unpaid', 1, 1)`;
  const documentId = await makeDocument(service, organisationId);
  await makeLink(service, documentId, await makeContact(service, { organisationId }));
  await storeLink(service, plain.id);
  await custadmin.client
    .post(`/organisations/${organisationId}/webhooks`, { url: 'https://receiver.example/', events: ['*'] })
    .expect(201);
  restored = await backUp();

  const asked = await afterRestore([], { input: 'no\n' });
  expect(asked).toMatchObject({ exitCode: 1, output: '' });
  expect(asked.messages).toEqual([
    expect.stringContaining('ends 3 logins, 2 mailed links, 1 trusted devices'),
    'error: not confirmed: nothing was changed',
  ]);
  expect((await afterRestore([], { input: '' })).exitCode).toBe(2);

  const result = await afterRestore(['--yes', '--json']);
  expect(result).toMatchObject({ exitCode: 0, messages: [] });
  expect(result.report).toMatchObject({
    ended: {
      logins: 3,
      trustedDevices: 1,
      mailedLinks: 2,
      loginLinks: 1,
    },
    droppedMails: 1,
    kept: {
      apiKeys: 1,
      serviceKeys: 1,
      webhooks: 1,
      recoveryCodes: 0,
      openInvitations: 1,
      documentLinks: 1,
      grants: 1,
      grantsToManage: 0,
      suspensions: 1,
      consentsToSupport: 0,
    },
    grants: [{ organisationId, granteeId: grantee, access: 'read' }],
    suspensions: [{ organisationId: grantee, itself: true, beneath: false, reason: 'unpaid' }],
    verify: { isWhole: true },
  });
  const mails = result.report['mayGoOutTwice'] as Record<string, unknown>[];
  expect(mails.map(({ kind, to, tries }) => ({ kind, to, tries }))).toEqual([
    { kind: 'invitation', to: 'new@example.com', tries: 1 },
    { kind: 'notifications.expand', to: 'notification 1', tries: 0 },
    { kind: 'mail.send', to: 'told@example.com', tries: 0 },
    { kind: 'recovery.write', to: keyed.username, tries: 0 },
    { kind: 'suspensions.notifyBeneath', to: `organisation ${plain.organisationId}`, tries: 0 },
    // The news of the webhook.
    { kind: 'notifications.expand', to: 'notification 3', tries: 0 },
  ]);

  // The service on the restored database: nobody gets in with what is old, everybody with name and password.
  service = await start(restored);
  const with_ = (hash: string | undefined): ApiClient => new ApiClient(service.url, hash);
  for (const user of [plain, custadmin, keyed]) await with_(user.client.hash).get('/whoami').expect(401);
  await anonymous(service).post(`/resetting/${reset}`, { password: NEW_PASSWORD }).expect(400);
  await anonymous(service).post(`/usernames/${link}`, { password: PASSWORD }).expect(400);
  await with_(key).get('/whoami').expect(200);
  await anonymous(service).post('/login', { username: plain.username, password: PASSWORD }).expect(200);
  // A job that a worker held at the time of the backup runs at once.
  await runJobs(service);
  expect(mailServer.mails.flatMap(({ to }) => to)).toEqual(
    expect.arrayContaining(['new@example.com', 'told@example.com', keyed.username]),
  );
  // Readers of the feed of events went on after the backup.
  const [{ last }] = (await service.sql('SELECT max(id) AS last FROM audit_log')) as [{ last: string }];
  expect(Number(last)).toBeGreaterThan(10_000_000);
  const rows = await service.sql<{ change: string; rows: number }>(
    `SELECT action || ' ' || table_name AS change, count(*)::integer AS rows FROM audit_log
     WHERE actor_credential_kind = 'command' AND request_id = 'after-restore' GROUP BY 1 ORDER BY 1`,
  );
  expect(rows).toEqual([
    { change: 'delete logins', rows: 3 },
    { change: 'delete trusted_devices', rows: 1 },
    { change: 'update login_links', rows: 1 },
    { change: 'update recovery_requests', rows: 2 },
  ]);
});

it('cli after-restore lists the grants of the backup, as they hold again', async () => {
  const grantor = await makeCustomer(service);
  const of = `/organisations/${grantor.organisationId}/grants`;
  const agencies = await Promise.all(Array.from({ length: 4 }, () => makeCustomer(service)));
  const grants: number[] = [];
  for (const [index, { organisationId }] of agencies.entries()) {
    const input = index === 3 ? {} : { access: 'manage', expires: '4102444800' };
    const { body } = await grantor.custadmin.client
      .post(of, { organisation: organisationId, ...input })
      .expect(201);
    grants.push((body as { grant: { id: number } }).grant.id);
  }
  const [lowered, ended, narrowed, read] = agencies as [Customer, Customer, Customer, Customer];
  const narrow = async (id: number | undefined, { organisationId, custadmin, plain }: Customer) => {
    const teamId = await makeTeam(service, organisationId, { userIds: [plain.id] });
    await custadmin.client.put(`/organisations/${organisationId}/grants/${id}/teams/${teamId}`).expect(204);
  };
  await narrow(grants[2], narrowed);
  const over = await makeGrant(service, grantor.organisationId, await makeOrganisation(service));
  await letExpire(service, 'acls', { id: over });
  restored = await backUp();
  service = await start(original);
  const client = new ApiClient(service.url, grantor.custadmin.client.hash);
  await client.put(`${of}/${grants[0]}`, { access: 'read' }).expect(204);
  await client.delete(`${of}/${grants[1]}`).expect(204);
  await service.stop();

  const { report } = await afterRestore(['--yes', '--json']);
  const shown = { organisationId: grantor.organisationId, expiresAt: '2100-01-01T00:00:00.000Z' };
  const manage = { ...shown, access: 'manage', onlyTeams: false };
  expect(report).toMatchObject({
    kept: { grants: 4, grantsToManage: 3 },
    grants: [
      { ...manage, granteeId: narrowed.organisationId, onlyTeams: true },
      { ...manage, granteeId: ended.organisationId },
      { ...manage, granteeId: lowered.organisationId },
      { ...shown, granteeId: read.organisationId, access: 'read', onlyTeams: false, expiresAt: null },
    ],
  });
  const { output } = await afterRestore(['--yes']);
  expect(output).toContain('4 grants, 3 grants to manage');
  const lines = output.split('\n').map((line) => line.split(/ {2,}/));
  // The mails about the begin of the grants wait in another table.
  const rows = lines.filter(
    ([id, , allows = '']) => id === String(grantor.organisationId) && ['read', 'manage'].includes(allows),
  );
  expect(rows.map(([, grantee, allows, whom, , until]) => [Number(grantee), allows, whom, until])).toEqual([
    [narrowed.organisationId, 'manage', 'teams', '2100-01-01 00:00'],
    [ended.organisationId, 'manage', 'CUSTADMINs', '2100-01-01 00:00'],
    [lowered.organisationId, 'manage', 'CUSTADMINs', '2100-01-01 00:00'],
    [read.organisationId, 'read', 'all users', 'no end'],
  ]);
  // What it shows is what holds: both manage again.
  service = await start(restored);
  for (const { custadmin } of [lowered, ended])
    await (
      await loggedIn(service, custadmin.username, PASSWORD)
    )
      .get(`/organisations/${grantor.organisationId}/teams`)
      .expect(200);
});

it('cli after-restore may run twice, exits with 3 where verify finds something, and leaves the jobs of a running worker alone', async () => {
  const { organisationId } = await makeCustomer(service);
  await service.sql`UPDATE organisations SET beneath_count = 5 WHERE id = ${organisationId}`;
  await makeMail(service, { address: 'x@example.com' });
  await service.sql(`UPDATE ${JOB_TABLE} SET locked_at = now(), locked_by = 'w'`);
  restored = await backUp();
  service = await startTestService('A', { database: restored });
  const worker = await startTestService('A', { database: restored, settings: { worker: true } });
  const workers = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'account-api-jobs'`;
  while ((await service.sql(workers)).length === 0);
  const first = await afterRestore(['--yes']);
  expect(first.exitCode).toBe(3);
  expect(first.messages).toEqual([expect.stringContaining('a worker is connected already')]);
  expect(first.output).toMatch(/^Ended 2 logins, 0 mailed links, .*\nWithdrew 0 .*\n1 mails were waiting/);
  expect(first.output).toMatch(/\n\d+ +invitation +x@example.com +\d{4}-\d\d-\d\d \d\d:\d\d +0\n/);
  expect(first.output.trimEnd().split('\n').at(-1)).toBe(
    '`verify --fix` repairs what follows from other rows',
  );
  const locked = await service.sql(`SELECT 1 FROM ${JOB_TABLE} WHERE locked_by = 'w'`);
  expect(locked).toHaveLength(1);
  const second = await afterRestore(['--yes', '--json']);
  expect(second.report).toMatchObject({
    ended: {
      logins: 0,
      trustedDevices: 0,
      mailedLinks: 0,
      loginLinks: 0,
    },
  });
  await worker.stop();
});

it('cli after-restore gives no record an ETag that a client has of a state since the backup', async () => {
  const { organisationId, custadmin, plain } = await makeCustomer(service);
  const contacts = `/organisations/${organisationId}/users/${plain.id}/contacts`;
  const newContact = async (client: ApiClient, name: string) => {
    const { body } = await client.post(contacts, { type: 'email', name }).expect(201);
    return (body as { contact: { id: number } }).contact.id;
  };
  const old = await newContact(custadmin.client, 'old@example.com');
  const paths = [`/organisations/${organisationId}`, `/organisations/${organisationId}/users/${plain.id}`];
  const tagOf = async (client: ApiClient, path: string) =>
    (await client.get(path).expect(200)).headers['etag'] as string;
  restored = await backUp();
  service = await start(original);
  const before = new ApiClient(service.url, custadmin.client.hash);
  const put = (client: ApiClient, id: number, name: string) =>
    client.put(`${contacts}/${id}`, { type: 'email', name });
  for (let change = 0; change < 3; change++) await put(before, old, `lost${change}@example.com`).expect(204);
  const lost = await newContact(before, 'lost@example.com');
  const tag = await tagOf(before, `${contacts}/${old}`);
  const tagOfLost = await tagOf(before, `${contacts}/${lost}`);
  const tags = await Promise.all(paths.map((path) => tagOf(before, path)));
  await service.stop();

  expect((await afterRestore(['--yes'])).exitCode).toBe(0);
  service = await start(restored);
  const after = await loggedIn(service, custadmin.username, PASSWORD);
  for (let change = 0; change < 3; change++) await put(after, old, `new${change}@example.com`).expect(204);
  await put(after, old, 'over@example.com').set('If-Match', tag).expect(412);
  await put(after, old, 'over@example.com')
    .set('If-Match', await tagOf(after, `${contacts}/${old}`))
    .expect(204);
  for (const [index, path] of paths.entries()) expect(await tagOf(after, path)).not.toBe(tags[index]);
  const added = await newContact(after, 'added@example.com');
  expect([added, await tagOf(after, `${contacts}/${added}`)]).not.toEqual([lost, tagOfLost]);
  expect(added).toBeGreaterThan(lost);
});
