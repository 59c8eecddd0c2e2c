import { makeCustomer, PASSWORD } from '../support/factories/factories';
import { anonymous, asAdmin } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';

const service = useService('A');

const lastIdOf = async (table: string): Promise<number> => {
  const [row] = await service.sql<{ last: number }>(
    `SELECT last_value AS last FROM pg_sequences WHERE sequencename = $1`,
    [`${table}_id_seq`],
  );
  return row?.last ?? 0;
};

it('POST /login from a known network takes an id of logins alone', async () => {
  const { plain } = await makeCustomer(service);
  const logIn = () =>
    anonymous(service).post('/login', { username: plain.username, password: PASSWORD }).expect(200);
  await logIn();
  const tables = ['logins', 'known_networks', 'login_notices', 'trusted_devices'];
  const before = await Promise.all(tables.map(lastIdOf));
  for (let count = 0; count < 3; count++) await logIn();
  const after = await Promise.all(tables.map(lastIdOf));
  expect(after.map((last, index) => last - (before[index] ?? 0))).toEqual([3, 0, 0, 0]);
});

it('POST /organisations is 500 INTERNAL_ERROR with a line in the log where the ids of organisations have run out', async () => {
  const admin = await asAdmin(service);
  const body = { name: 'Last one', taxNumber: 'NL1', country: 'NL' };
  const last = await lastIdOf('organisations');
  await service.sql(`SELECT setval('organisations_id_seq', 2147483647)`);
  const { body: answer } = await admin.post('/organisations', body).expect(500);
  expect(answer).toMatchObject({ reason: 'INTERNAL_ERROR' });
  expect(service.logLines.map((line) => JSON.parse(line) as unknown)).toContainEqual(
    expect.objectContaining({ level: 50, msg: 'request failed unexpectedly' }),
  );
  await service.sql(`SELECT setval('organisations_id_seq', $1)`, [last]);
  await admin.post('/organisations', body).expect(201);
});

it('POST …/invitations: a mail whose id needs more than 32 bits waits and leaves', async () => {
  const { organisationId, custadmin } = await makeCustomer(service);
  const last = await lastIdOf('mails');
  await service.sql(`SELECT setval('mails_id_seq', 3000000000)`);
  await custadmin.client
    .post(`/organisations/${organisationId}/invitations`, {
      email: 'invited@far.example',
      firstName: 'Eva',
      lastName: 'Maes',
    })
    .expect(201);
  const waiting = () => service.sql(`SELECT id, queued_at IS NULL AS held FROM mails WHERE id > 3000000000`);
  expect(await waiting()).toEqual([{ id: 3_000_000_001, held: true }]);
  await runJobs(service);
  expect(await waiting()).toEqual([]);
  const sent = await service.sql(
    `SELECT r.status FROM notification_recipients r WHERE r.value = 'invited@far.example'`,
  );
  expect(sent).toEqual([{ status: 'sent' }]);
  await service.sql(`SELECT setval('mails_id_seq', $1)`, [Math.max(1, last)]);
});

it('the ids of rows that no route shows have 64 bits', async () => {
  const rows = await service.sql<{ name: string }>(`
    SELECT table_name AS name FROM information_schema.columns
    WHERE column_name = 'id' AND data_type = 'bigint' AND table_schema = 'public' ORDER BY 1`);
  expect(rows.map(({ name }) => name)).toEqual([
    'audit_log',
    'document_links',
    'former_contacts',
    'known_networks',
    'login_notices',
    'mails',
    'older_device_tokens',
    'stored_responses',
  ]);
});
