import {
  type Customer,
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import { makeInvitation, queuedMails, registrationOf } from '../support/factories/invitations-factories';
import { makeTeam } from '../support/factories/records';
import { auditRows } from '../support/service/audit';
import { type CliResult, runCli, startCli } from '../support/service/cli';
import { anonymous } from '../support/service/client';
import { useFiles } from '../support/service/files';
import { useServices } from '../support/service/service';
import { until } from '../support/service/until';
import { NEIGHBOUR } from '../support/service/variants';

const [service, other] = useServices(['A', NEIGHBOUR]);
const files = useFiles();
let customer: Customer;
let organisationId: number;

let run = 0;
beforeEach(async () => {
  run += 1;
  customer = await makeCustomer(service, { name: 'Bakkerij de Vries' });
  ({ organisationId } = customer);
});

const FAST = ['--per-hour', '100000'] as const;

const fileOf = (rows: readonly object[]): string =>
  files.write(`invitations${run}.jsonl`, rows.map((row) => JSON.stringify(row)).join('\n'));
const importRows = (rows: readonly object[], flags: readonly string[] = FAST): Promise<CliResult> =>
  runCli(service.database, ['import-invitations', fileOf(rows), '--json', ...flags]);
const reasons = ({ report }: CliResult): string[] =>
  (report['refusedRows'] as { reason: string }[]).map(({ reason }) => reason);
const counts = (stored: number, kept: number, refused: number) => ({ stored, kept, refused });
const invitation = <More extends object>(more = {} as More) => {
  const n = nextNumber();
  const person = { firstName: 'Mia', lastName: 'Smit', language: 'en' };
  return { id: 50_000 + n, organisationId, email: `mia${n}@example.com`, ...person, ...more };
};
const stored = () =>
  service.sql<{ id: number; seconds: number }>(
    `SELECT id, extract(epoch FROM created_at)::float8 AS seconds FROM invitations
     WHERE organisation_id = $1 ORDER BY id`,
    [organisationId],
  );
const mailsTo = async (email: string): Promise<number> => (await queuedMails(service, email)).length;

async function linkTo(email: string): Promise<string> {
  const [mail, ...others] = await queuedMails(service, email);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ template: 'invitation', language: 'en' });
  return mail?.values['link'] ?? '';
}

it('cli import-invitations mails the invited a new link by which they register, in both variants, and nobody else', async () => {
  const team = await makeTeam(service, organisationId);
  const rows = [
    invitation({ autoRoles: ['ROLE_FINANCE'], autoTeams: [team], inviter: customer.custadmin.username }),
    invitation(),
  ] as const;
  const before = await service.sql`SELECT id FROM mails`;
  const result = await importRows(rows);
  expect(result).toMatchObject({ exitCode: 0, messages: [], report: counts(2, 0, 0) });
  expect(await service.sql`SELECT id FROM mails`).toHaveLength(before.length + 2);
  expect(await service.sql`SELECT 1 FROM notifications WHERE organisation_id = ${organisationId}`).toEqual(
    [],
  );
  const [mail] = await queuedMails(service, rows[0].email);
  expect(mail?.values['organisation']).toContain('Bakkerij de Vries');
  const users = [];
  for (const [at, { url }] of [service, other].entries()) {
    const row = rows[at] as (typeof rows)[number];
    const token = (await linkTo(row.email)).split('/').at(-1) ?? '';
    const response = await anonymous({ url })
      .post(`/registerInvitation/${token}`, registrationOf({ ...row, token }, PASSWORD))
      .expect(201);
    users.push((response.body as { user: object }).user);
    await anonymous({ url }).post('/login', { username: row.email, password: PASSWORD }).expect(200);
  }
  expect(users).toMatchObject([
    { roles: ['ROLE_FINANCE'], teams: [{ id: team }], language: 'en' },
    { roles: [], teams: [] },
  ]);
  const audited = await auditRows(service, `table_name = 'invitations' AND organisation_id = $1`, [
    organisationId,
  ]);
  expect(audited[0]).toMatchObject({ action: 'insert', request_id: 'import-invitations' });
});

it('cli import-invitations --per-hour mails no more than so many an hour', async () => {
  expect(
    (await importRows([invitation(), invitation(), invitation()], ['--per-hour', '3600'])).exitCode,
  ).toBe(0);
  const seconds = (await stored()).map((row) => row.seconds);
  expect(seconds).toHaveLength(3);
  expect((seconds[1] ?? 0) - (seconds[0] ?? 0)).toBeGreaterThanOrEqual(1);
  expect((seconds[2] ?? 0) - (seconds[1] ?? 0)).toBeGreaterThanOrEqual(1);
});

it('cli import-invitations exits with 2 without --per-hour, and --dry-run shows whom it would mail', async () => {
  const rows = [invitation(), invitation({ language: 'de' })] as const;
  const without = await importRows(rows, []);
  expect(without).toMatchObject({ exitCode: 2, output: '' });
  expect(without.messages.join()).toContain('--per-hour');
  expect((await importRows(rows, ['--per-hour', '0'])).exitCode).toBe(2);
  const trial = await importRows(rows, ['--dry-run']);
  expect(trial.report).toMatchObject({ dryRun: true, ...counts(1, 0, 1) });
  const [row] = rows;
  expect(trial.messages).toContain(
    `line 1 (id ${row.id}, organisationId ${organisationId}, email ${row.email}): would be mailed a new link`,
  );
  expect(await stored()).toEqual([]);
  expect(await mailsTo(row.email)).toBe(0);
});

it('cli import-invitations goes on where a run was stopped or killed, in the same pace, and mails nobody twice', async () => {
  const rows = [invitation(), invitation(), invitation()];
  const path = fileOf(rows);
  const slow = ['import-invitations', path, '--per-hour', '360', '--json'];
  const waits = (count: number) => until(async () => (await stored()).length === count);
  const stopped = startCli(service.database, slow);
  await waits(1);
  stopped.child.kill('SIGINT');
  const end = await stopped.ended;
  expect(end.exitCode).toBe(1);
  expect(end.messages.at(-1)).toContain('interrupted: run the same command again');
  const killed = startCli(service.database, slow);
  await waits(2);
  killed.child.kill('SIGKILL');
  await killed.ended;
  await until(async () => (await importRows(rows)).exitCode === 0);
  expect((await importRows(rows)).report).toMatchObject(counts(0, 3, 0));
  for (const { email } of rows) expect(await mailsTo(email)).toBe(1);
  const [first, second] = (await stored()).map(({ seconds }) => seconds);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(10);
});

it('cli import-invitations mails nobody again whose invitation was used, withdrawn or changed meanwhile', async () => {
  const [used, withdrawn, changed] = [invitation(), invitation(), invitation()] as const;
  const rows = [used, withdrawn, changed];
  await importRows(rows);
  const token = (await linkTo(used.email)).split('/').at(-1) ?? '';
  await anonymous(service)
    .post(`/registerInvitation/${token}`, registrationOf({ ...used, token }, PASSWORD))
    .expect(201);
  const { client } = customer.custadmin;
  const path = `/organisations/${organisationId}/invitations`;
  await client.delete(`${path}/${withdrawn.id}`).expect(204);
  await client
    .put(`${path}/${changed.id}`, { email: changed.email, firstName: 'Eva', lastName: 'Smit' })
    .expect(204);
  const again = await importRows(rows);
  expect(again.report).toMatchObject(counts(0, 2, 1));
  expect(reasons(again)).toEqual(['it is there already, with another firstName']);
  expect(await mailsTo(withdrawn.email)).toBe(0);
  expect(await mailsTo(changed.email)).toBe(1);
});

it('cli import-invitations names every fault of a row, and mails the others', async () => {
  const stranger = await makeCustomer(service);
  const disabled = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
  await service.sql`UPDATE users SET enabled = false WHERE id = ${disabled.id}`;
  const open = await makeInvitation(service, { organisationId, inviterId: customer.custadmin.id });
  const nowhere = 1_999_999_999;
  const good = invitation();
  const rows = [
    { ...invitation(), organisationId: nowhere, email: 'no address', autoRoles: 'ROLE_X' },
    { ...invitation(), organisationId: nowhere },
    invitation({ email: customer.plain.username, autoTeams: `${nowhere}`, autoRoles: 'ROLE_ADMIN' }),
    invitation({ email: open.email.toUpperCase(), inviter: 'nobody@example.com' }),
    invitation({ inviter: stranger.custadmin.id }),
    invitation({ inviter: customer.plain.username }),
    invitation({ inviter: disabled.id }),
    invitation({ id: open.id, organisationId: stranger.organisationId }),
    good,
    { ...good, id: good.id + 5_000 },
    { email: good.email },
  ];
  const result = await importRows(rows);
  expect(result.report).toMatchObject(counts(1, 0, rows.length - 1));
  const notManaging =
    'inviter: This user does not manage the organisation: without an inviter the organisation itself invites.';
  expect(reasons(result)).toEqual([
    'email: This value should be an e-mail address.; autoRoles: Unknown role: ROLE_X.; ' +
      'organisationId: This organisation does not exist.',
    'organisationId: This organisation does not exist.',
    'email: This e-mail address already belongs to a user.; ' +
      'autoRoles: ROLE_ADMIN can only be given by an admin.; ' +
      `autoTeams: Not a team of this organisation: ${nowhere}.`,
    'email: This address already has an open invitation.; inviter: This user does not exist.',
    notManaging,
    notManaging,
    notManaging,
    'id: This id belongs to an invitation of another organisation.',
    expect.stringMatching(/^email: .*row above, on line 9/),
    expect.stringMatching(/^id: .*; organisationId: .*; firstName: .*; lastName: /),
  ]);
});

it('cli import-invitations keeps the organisation of an inviter above in made_by_organisation, as POST …/invitations does', async () => {
  const reseller = await makeCustomer(service);
  const id = await makeOrganisation(service, { parentId: reseller.organisationId });
  const row = invitation({ organisationId: id, inviter: reseller.custadmin.id });
  expect((await importRows([row])).report).toMatchObject(counts(1, 0, 0));
  expect(
    await service.sql`SELECT inviter_id AS inviter, made_by_organisation AS maker FROM invitations
       WHERE id = ${row.id}`,
  ).toEqual([{ inviter: reseller.custadmin.id, maker: reseller.organisationId }]);
});
