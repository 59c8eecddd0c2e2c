import { type Customer, makeCustomer, makeGrant, makeOrganisation } from '../support/factories/factories';
import { auditRows } from '../support/service/audit';
import { type CliResult, runCli } from '../support/service/cli';
import { ApiClient } from '../support/service/client';
import { useFiles } from '../support/service/files';
import { useServices } from '../support/service/service';
import { NEIGHBOUR } from '../support/service/variants';

const [service, other] = useServices(['A', NEIGHBOUR]);
const files = useFiles();
let grantor: Customer;
let grantee: Customer;

let run = 0;
beforeEach(async () => {
  run += 1;
  grantor = await makeCustomer(service, { name: 'Bakkerij de Vries' });
  grantee = await makeCustomer(service, { name: 'Webbureau Jansen' });
});

const importRows = (rows: readonly object[], ...flags: string[]): Promise<CliResult> => {
  const text = rows.map((row) => JSON.stringify(row)).join('\n');
  return runCli(service.database, [
    'import-grants',
    files.write(`grants${run}.jsonl`, text),
    '--json',
    ...flags,
  ]);
};
const reasons = ({ report }: CliResult): string[] =>
  (report['refusedRows'] as { reason: string }[]).map(({ reason }) => reason);
const counts = (stored: number, kept: number, refused: number) => ({ stored, kept, refused });
const grantsOf = ({ organisationId }: Customer) =>
  service.sql`SELECT id, grantee_id AS grantee, access, made_by_organisation AS maker, expires_at AS ends FROM acls
     WHERE organisation_id = ${organisationId} ORDER BY grantee_id`;
/** Numbers that no other test of the file imports. */
const newId = (): number => 5_000 + run * 100;

it('cli import-grants: a record of acls of Variant B lets the users of the grantee read, in both variants', async () => {
  const path = `/organisations/${grantor.organisationId}`;
  await grantee.plain.client.get(path).expect(403);
  const acl = {
    id: newId(),
    object: 'organisation',
    objectId: grantor.organisationId,
    permissions: null,
    extra: null,
    type: 'manual',
    organisation: { id: grantee.organisationId, name: 'Webbureau Jansen' },
  };
  expect((await importRows([acl])).report).toMatchObject(counts(1, 0, 0));
  expect(await grantsOf(grantor)).toEqual([
    { id: newId(), grantee: grantee.organisationId, access: 'read', maker: null, ends: null },
  ]);
  await grantee.plain.client.get(path).expect(200);
  await new ApiClient(other.url, grantee.plain.client.hash).get(path).expect(200);
  await grantee.custadmin.client.put(path, { name: 'X', taxNumber: 'X' }).expect(403);
  const { body } = await grantor.custadmin.client.get(`${path}/grants/${newId()}`).expect(200);
  expect(body).toMatchObject({ grant: { id: newId(), access: 'read', dtExpires: '' } });
});

it('cli import-grants: a grant to manage lets the CUSTADMINs of the grantee work until its end, and mails nobody', async () => {
  const expires = Math.floor(Date.now() / 1000) + 86_400;
  const csv = `organisationId,granteeId,access,expires\n${grantor.organisationId},${grantee.organisationId},manage,${expires}`;
  const result = await runCli(service.database, [
    'import-grants',
    files.write(`manage${run}.csv`, csv),
    '--json',
  ]);
  expect(result).toMatchObject({ exitCode: 0, messages: [] });
  const path = `/organisations/${grantor.organisationId}`;
  await grantee.custadmin.client
    .put(path, { name: 'De Vries', taxNumber: 'NL1', city: 'Utrecht' })
    .expect(204);
  await grantee.plain.client.get(path).expect(403);
  expect(await grantsOf(grantor)).toMatchObject([{ access: 'manage', ends: new Date(expires * 1000) }]);
  const parties = [grantor.organisationId, grantee.organisationId];
  expect(
    await service.sql(`SELECT 1 FROM notifications WHERE organisation_id = ANY ($1)`, [parties]),
  ).toEqual([]);
  const [audited] = await auditRows(service, `table_name = 'acls' AND organisation_id = $1`, [
    grantor.organisationId,
  ]);
  expect(audited).toMatchObject({ action: 'insert', request_id: 'import-grants' });
});

it('cli import-grants names every fault of a row, and exits with 3', async () => {
  const { organisationId } = grantor;
  const granteeId = grantee.organisationId;
  const taken = await makeGrant(service, granteeId, organisationId);
  const nowhere = 1_999_999_999;
  const result = await importRows([
    { organisationId, granteeId: organisationId },
    { objectId: nowhere, organisation: nowhere, access: 'admin' },
    { organisationId: nowhere, granteeId: nowhere - 1, expires: 1 },
    { object: 'domain', objectId: organisationId, organisation: { id: granteeId }, permissions: 31 },
    { objectId: organisationId, organisation: granteeId, permissions: { write: true }, extra: 'all' },
    { organisationId: 1, granteeId, access: 'manage' },
    { organisationId, granteeId, id: taken },
    { organisationId },
  ]);
  expect(result.exitCode).toBe(3);
  const meaning = (name: string) =>
    `${name}: The description of acls does not say what a value here allows: choose read or manage as access.`;
  const missing = (name: string) => `${name}: This organisation does not exist.`;
  expect(reasons(result)).toEqual([
    'granteeId: An organisation cannot grant access to itself.',
    `access: This value should be one of read, manage.; ${missing('organisationId')}; ${missing('granteeId')}`,
    `${missing('organisationId')}; ${missing('granteeId')}; expires: This value should be in the future.`,
    `object: This value should be one of organisation.; ${meaning('permissions')}`,
    `${meaning('permissions')}; ${meaning('extra')}`,
    'access: The organisation of the operator gives grants to read alone.',
    'id: This id belongs to another grant.',
    expect.stringMatching(/^granteeId: /),
  ]);
  expect(await grantsOf(grantor)).toEqual([]);
});

it('cli import-grants takes old permissions where the row says what they allow', async () => {
  const { organisationId } = grantor;
  const row = {
    objectId: organisationId,
    organisation: grantee.organisationId,
    permissions: 31,
    access: 'manage',
  };
  expect((await importRows([row])).report).toMatchObject(counts(1, 0, 0));
  expect(await grantsOf(grantor)).toMatchObject([{ access: 'manage' }]);
});

it('cli import-grants --dry-run writes nothing, and a grant that is there is kept or named as another', async () => {
  const { organisationId } = grantor;
  const third = await makeOrganisation(service);
  const rows = [
    { id: newId(), organisationId, granteeId: grantee.organisationId },
    { organisationId, granteeId: third, access: 'manage' },
  ];
  expect((await importRows(rows, '--dry-run')).report).toMatchObject({ dryRun: true, ...counts(2, 0, 0) });
  expect(await grantsOf(grantor)).toEqual([]);
  expect((await importRows(rows)).report).toMatchObject(counts(2, 0, 0));
  const before = await grantsOf(grantor);
  expect((await importRows(rows)).report).toMatchObject(counts(0, 2, 0));
  const changed = await importRows([
    { ...rows[0], id: newId() + 1, access: 'manage' },
    { ...rows[1], expires: Math.floor(Date.now() / 1000) + 60 },
    { ...rows[1] },
  ]);
  expect(reasons(changed)).toEqual([
    'it is there already, with another id, access',
    'it is there already, with another expires',
    expect.stringMatching(/^granteeId: .*row above, on line 2/),
  ]);
  expect(await grantsOf(grantor)).toEqual(before);
});

it('cli import-grants replaces a grant that has ended, and gives new grants later ids', async () => {
  const { organisationId } = grantor;
  const ended = await makeGrant(service, organisationId, grantee.organisationId);
  await service.sql`UPDATE acls SET expires_at = now() - interval '1 second' WHERE id = ${ended}`;
  const third = await makeOrganisation(service);
  const result = await importRows([
    { id: newId(), organisationId, granteeId: grantee.organisationId },
    { organisationId, granteeId: third },
  ]);
  expect(result.report).toMatchObject(counts(2, 0, 0));
  expect(await grantsOf(grantor)).toMatchObject([{ id: newId() }, { id: newId() + 1 }]);
});

it('cli import-grants refuses the 201st grant of an organisation, with --dry-run too, and loses no other row', async () => {
  const made = await service.sql<{ id: number }>(
    `INSERT INTO organisations (name, tax_number, parent_id)
     SELECT 'Other', gen_random_uuid()::text, 1 FROM generate_series(1, 202) RETURNING id`,
  );
  const rows = [
    ...made.map(({ id }) => ({ organisationId: grantor.organisationId, granteeId: id })),
    { organisationId: grantee.organisationId, granteeId: grantor.organisationId },
  ];
  const most = 'An organisation gives at most 200 grants.';
  for (const flags of [['--dry-run'], []]) {
    const result = await importRows(rows, ...flags);
    expect(result.report).toMatchObject(counts(201, 0, 2));
    expect(reasons(result)).toEqual([most, most]);
  }
  expect(await grantsOf(grantor)).toHaveLength(200);
  expect(await grantsOf(grantee)).toHaveLength(1);
});
